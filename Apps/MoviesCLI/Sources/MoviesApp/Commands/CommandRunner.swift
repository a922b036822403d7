/// Runs a command line and returns its exit code.
package struct CommandRunner: Sendable {
  /// The environment variables.
  package var environment: [String: String]

  /// The command that starts the program, as suggestions print it: `MoviesCLI`, or `swift run MoviesCLI`.
  package var program = CommandLineDescription.movies.program

  /// Creates the console of a run for its options.
  package var console: @Sendable (GlobalOptions) -> Console

  /// Called with work that must finish before the process may end, and with `nil` when it has finished.
  package var willFlush: @Sendable ((@Sendable () -> Void)?) -> Void = { _ in }

  /// Changes the dependencies of every new store. Tests insert their own servers here.
  package var adjust: @Sendable (inout AppDependencies) -> Void = { _ in }

  /// Options of the command line that started a script. Options in the script's lines override them.
  package var inherited: [String: String] = [:]

  /// Files that the command lines of a script must not replace: the script itself.
  package var inputs: [String] = []

  /// Whether the runner executes a script. A script may not run another script.
  package var isInScript = false

  package init(
    environment: [String: String], console: @escaping @Sendable (GlobalOptions) -> Console,
    willFlush: @escaping @Sendable ((@Sendable () -> Void)?) -> Void = { _ in }
  ) {
    self.environment = environment
    self.console = console
    self.willFlush = willFlush
  }

  /// Runs a command line.
  package func run(_ words: [String]) async -> ExitCode {
    let description = CommandLineDescription.movies
    do throws(UsageError) {
      switch try description.parse(words) {
      case .help(let topic): plain(words).write(description.help(topic))
      case .version: plain(words).write("\(description.program) \(Program.version)\n")
      case .run(let named, var arguments):
        guard let command = Command.named(named.name) else { return .usage }
        try command.checkOutputs(arguments)
        arguments.options.merge(inherited) { line, _ in line }
        return try await run(command, arguments, words)
      }
      return .done
    } catch {
      plain(words).printMessage { MessageText.usage(error, program: description.program, style: $0) }
      return .usage
    }
  }

  /// The console for a command line whose options are not read, or not valid. Its colours are those of `--color`.
  private func plain(_ words: [String]) -> Console {
    var options = GlobalOptions()
    let settings = try? Settings(flags: inherited, environment: environment).options
    let color = CommandLineDescription.movies.lastValue(of: "--color", in: words) ?? settings?["--color"]
    options.color = color.flatMap(ColorChoice.init) ?? .auto
    return console(options)
  }

  private func run(
    _ command: Command, _ arguments: Arguments, _ words: [String]
  ) async throws(UsageError) -> ExitCode {
    let settings: Settings
    do throws(CommandFailure) {
      settings = try Settings(
        flags: arguments.options, environment: environment,
        isUsed: !Command.withoutSettings.contains(command.description.name))
    } catch {
      plain(words).report(error.message)
      return error.exitCode
    }
    // The lines of a script read the settings again.
    let given = arguments.options
    var arguments = arguments
    let hasLog = arguments.has("--log")
    arguments.options.merge(settings.options) { flag, _ in flag }
    // The screen shows the log, so only a setting for a file's log concerns it.
    if command.description == Command.browse.description, !hasLog, !arguments.has("--log-file") {
      arguments.options["--log"] = nil
    }
    var options = try GlobalOptions(arguments)
    // A setting for the files of actions does not concern a command that sends none.
    if !command.description.sendsActions {
      (options.log, options.logFile, options.record) = (nil, nil, nil)
      Catalog.replaceMovedFile(by: options.catalog)
    }
    let run = try command.read(arguments)
    let console = console(options)
    do throws(CommandFailure) {
      var runner = self
      runner.inherited = given
      let context = try CommandContext(
        console: console, options: options, settings: settings, arguments: arguments, runner: runner)
      return await finish(run, in: context)
    } catch {
      console.report(settings.withOrigin(error.message))
      return error.exitCode
    }
  }

  /// Runs a command, and then writes its remaining log and recording.
  private func finish(_ run: Command.Run, in context: CommandContext) async -> ExitCode {
    willFlush {
      context.console.progress?.clear()
      let (messages, style) = (context.interruption.messages, context.console.errorStyle)
      for error in messages.errors { StandardStream.error.write(MessageText.error(error, style: style)) }
      if !context.console.isQuiet {
        for note in messages.notes { StandardStream.error.write(MessageText.note(note, style: style)) }
      }
      do throws(CommandFailure) { try context.flush() } catch {
        // The process ends even if standard error cannot be written, so this line only enters the buffer.
        StandardStream.error.write(MessageText.error(context.settings.withOrigin(error.message)))
      }
    }
    defer { willFlush(nil) }
    var failures: [CommandFailure] = []
    do throws(CommandFailure) { try await run(context) } catch { failures.append(error) }
    do throws(CommandFailure) { try context.flush() } catch { failures.append(error) }
    for failure in failures where !failure.message.isEmpty {
      context.console.report(context.settings.withOrigin(failure.message))
    }
    return failures.first?.exitCode ?? context.damage.exitCode ?? .done
  }
}
