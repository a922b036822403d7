/// The way from the words of a command line to an exit code.
package struct CommandRunner: Sendable {
  /// The environment's variables.
  package var environment: [String: String]

  /// Makes the console of a run, for its options.
  package var console: @Sendable (GlobalOptions) -> Console

  /// Told what must be done before the process may end, and `nil` when that is over.
  package var willFlush: @Sendable ((@Sendable () -> Void)?) -> Void = { _ in }

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
      var parsed = try description.parse(words)
      switch parsed.request {
      case .help(let topic): plain.write(description.help(topic))
      case .version: plain.write("\(description.program) \(Program.version)\n")
      case .run(let command):
        parsed.options.merge(inherited) { line, _ in line }
        return try await run(parsed, command, plain)
      }
      return .done
    } catch {
      plain.errors(MessageText.usage(error, program: description.program, style: plain.errorStyle))
      return .usage
    }
  }

  private func run(
    _ parsed: ParsedArguments, _ command: CommandDescription, _ plain: Console
  ) async throws(UsageError) -> ExitCode {
    let settings: Settings
    do throws(CommandFailure) {
      settings = try Settings(flags: parsed.options, environment: environment)
    } catch {
      plain.report(error.message)
      return error.exitCode
    }
    let invocation = try Invocation(parsed, command: command, settings: settings)
    let console = console(invocation.options)
    do throws(CommandFailure) {
      guard case .script(let file) = invocation.command else { return try await run(invocation, console) }
      guard !isInScript else { throw CommandFailure("a script may not run another one", .usage) }
      return try await ScriptRunner(file: file, runner: self, options: parsed.options, console: console).run()
    } catch {
      console.report(error.message)
      return error.exitCode
    }
  }

  private func run(_ invocation: Invocation, _ console: Console) async throws(CommandFailure) -> ExitCode {
    let stores = try StoreMaker(options: invocation.options, environment: environment, console: console)
    willFlush {
      console.progress?.clear()
      try? stores.flush()
    }
    defer { willFlush(nil) }
    var failures: [CommandFailure] = []
    do throws(CommandFailure) {
      try await stores.session(for: invocation).run(invocation.command)
    } catch {
      failures.append(error)
    }
    do throws(CommandFailure) { try stores.flush() } catch { failures.append(error) }
    for failure in failures { console.report(failure.message) }
    return failures.first?.exitCode ?? .done
  }
}
