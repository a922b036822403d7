import Foundation
import ReeluxCore
import ReeluxLogger

/// The program: this process's arguments, environment and streams, and the exit code in the end.
package enum Program {
  /// The version that `--version` prints.
  package static let version = "0.1.0"

  /// The program's name.
  static let title = "MoviesCLI"

  /// Runs the program and answers its exit code.
  package static func main() async -> Int32 {
    // A closed stream's number would be given to the next file that is opened, and data would land in it.
    let isOutputClosed = !StandardStream.output.isOpen
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    let (output, errors) = (StandardStream.output, StandardStream.error)
    if isOutputClosed {
      errors.write(MessageText.error("standard output is closed; nothing was done"), flush: true)
      return ExitCode.inputOutput.rawValue
    }
    // A closed pipe is an error of `write`, not a signal.
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst())
    var exitCode = ExitCode.done
    if words == ["--version"] {
      // The one line needs neither the environment nor the commands, which take longer than the rest of the start.
      output.write("\(title) \(version)\n")
    } else {
      exitCode = await run(words, output: output, errors: errors)
    }
    // A reader that closed the pipe had enough: that is no failure. Anything else is one.
    output.flush()
    if case .refused(let reason) = output.failure {
      errors.write(MessageText.error("standard output cannot be written: \(reason)"))
      exitCode = .inputOutput
    }
    errors.flush()
    return exitCode.rawValue
  }

  /// Runs a command line on the process's streams, and ends the process on a signal.
  private static func run(
    _ words: [String], output: StandardStream, errors: StandardStream
  ) async -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    let flush = Locked<(@Sendable () -> Void)?>(nil)
    SignalWatch.begin([SIGINT, SIGTERM, SIGHUP]) { number in
      // Whatever a command was doing, files are whole: they are replaced in one step.
      RawTerminal.leave()
      output.flush()
      flush.withLock { $0 }?()
      errors.flush()
      _exit(128 + number)
    }
    var runner = CommandRunner(
      environment: environment,
      console: { console(for: $0, environment: environment, output: output, errors: errors) },
      willFlush: { work in flush.withLock { $0 = work } })
    runner.program = name(startedAs: CommandLine.arguments.first ?? "")
    return await runner.run(words)
  }

  /// How the program was started, so that what it suggests works when it is typed.
  static func name(startedAs path: String) -> String {
    let description = CommandLineDescription.movies.program
    // `swift run` starts the product in its build folder.
    if path.contains(".build/") { return "swift run \(description)" }
    return path.contains("/") ? path : description
  }

  private static func console(
    for options: GlobalOptions, environment: [String: String], output: StandardStream, errors: StandardStream
  ) -> Console {
    var console = Console(
      output: { output.write($0, flush: $1 || output.isTerminal) },
      errors: { text in
        output.flush()
        errors.write(text, flush: true)
      })
    console.style = TextStyle(
      colors: .depth(options.color, isTerminal: output.isTerminal, environment: environment),
      width: output.columns(environment: environment))
    console.errorStyle = TextStyle(
      colors: .depth(options.color, isTerminal: errors.isTerminal, environment: environment),
      width: errors.columns(environment: environment))
    console.isQuiet = options.quiet
    console.isInteractive = output.isTerminal
    if errors.isTerminal, !options.quiet, environment["TERM"] != "dumb" {
      console.progress = ProgressLine(width: console.errorStyle.width ?? 80) { errors.write($0, flush: true) }
    }
    console.isClosed = { output.failure != nil }
    return console
  }
}
