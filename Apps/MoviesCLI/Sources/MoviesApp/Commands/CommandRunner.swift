/// The way from the words of a command line to an exit code.
package struct CommandRunner: Sendable {
  /// The environment's variables.
  package var environment: [String: String]

  /// How the program is started, in what it suggests: `MoviesCLI`, or `swift run MoviesCLI`.
  package var program = CommandLineDescription.movies.program

  /// Makes the console of a run, for its options.
  package var console: @Sendable (GlobalOptions) -> Console

  /// Called with the work that must be finished before the process may end, and with
  /// `nil` when it is finished.
  package var willFlush: @Sendable ((@Sendable () -> Void)?) -> Void = { _ in }

  /// Changes the outside of every store that is made; tests put their own servers in.
  package var adjust: @Sendable (inout AppDependencies) -> Void = { _ in }

  /// Options of a script's own command line; those of its lines win over them.
  package var inherited: [String: String] = [:]

  /// Whether it runs the lines of a script, which may not run another one.
  package var isInScript = false

  /// Makes a runner.
  package init(
    environment: [String: String], console: @escaping @Sendable (GlobalOptions) -> Console,
    willFlush: @escaping @Sendable ((@Sendable () -> Void)?) -> Void = { _ in }
  ) {
    self.environment = environment
    self.console = console
    self.willFlush = willFlush
  }

  /// Runs a command line to its end.
  package func run(_ words: [String]) async -> ExitCode {
    let description = CommandLineDescription.movies
    let plain = console(GlobalOptions())
    do throws(UsageError) {
      switch try description.parse(words) {
      case .help(let topic): plain.write(description.help(topic))
      case .version: plain.write("\(description.program) \(Program.version)\n")
      case .run(let command, var arguments):
        arguments.options.merge(inherited) { line, _ in line }
        return try await run(command, arguments, plain)
      }
      return .done
    } catch {
      plain.errors(MessageText.usage(error, program: description.program, style: plain.errorStyle))
      return .usage
    }
  }

  private func run(
    _ description: CommandDescription, _ arguments: Arguments, _ plain: Console
  ) async throws(UsageError) -> ExitCode {
    let settings: Settings
    do throws(CommandFailure) {
      settings = try Settings(flags: arguments.options, environment: environment)
    } catch {
      plain.report(error.message)
      return error.exitCode
    }
    var arguments = arguments
    arguments.options.merge(settings.options) { flag, _ in flag }
    let options = try GlobalOptions(arguments)
    guard let command = Command.named(description.name) else { return .usage }
    let run = try command.read(arguments)
    let console = console(options)
    do throws(CommandFailure) {
      let context = try CommandContext(
        console: console, options: options, settings: settings, arguments: arguments, runner: self)
      return await finish(run, in: context)
    } catch {
      console.report(error.message)
      return error.exitCode
    }
  }

  /// Runs a command, and then writes what its store's onlookers have still to write.
  private func finish(_ run: Command.Run, in context: CommandContext) async -> ExitCode {
    willFlush {
      context.console.progress?.clear()
      try? context.flush()
    }
    defer { willFlush(nil) }
    var failures: [CommandFailure] = []
    do throws(CommandFailure) { try await run(context) } catch { failures.append(error) }
    do throws(CommandFailure) { try context.flush() } catch { failures.append(error) }
    for failure in failures { context.console.report(failure.message) }
    return failures.first?.exitCode ?? context.damage.exitCode ?? .done
  }
}
