import Foundation
import ReeluxCore
import ReeluxLogger

/// The process: its arguments, environment, streams and exit code.
package enum Program {
  /// The version that `--version` prints.
  package static let version = "0.1.0"

  static let title = "MoviesCLI"

  /// Runs the program and returns its exit code.
  package static func main() -> Int32 {
    // The next file that is opened would get the number of a closed stream, and would receive the program's output.
    let isOutputClosed = !StandardStream.output.isOpen
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 { _ = unsafe open("/dev/null", O_RDWR) }
    let (output, errors) = (StandardStream.output, StandardStream.error)
    if isOutputClosed {
      errors.write(
        MessageText.error("standard output is closed; to discard the output, use '> /dev/null'"), flush: true)
      return ExitCode.inputOutput.rawValue
    }
    // With these signals ignored, `write` fails if the pipe is closed or the file exceeds the limit of the shell.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    removeLongLocales()
    let words = Array(CommandLine.arguments.dropFirst())
    var exitCode = ExitCode.done
    if let error = argumentError {
      errors.write(MessageText.usage(error, program: title))
      exitCode = .usage
    } else if words == ["--version"] {
      // This line needs neither the environment nor the commands. Reading these takes most of the start-up time.
      output.write("\(title) \(version)\n")
    } else {
      exitCode = run(words, output: output, errors: errors)
    }
    // A closed pipe is not a failure. Its reader needs no more data. Any other error is a failure.
    output.flush()
    if case .refused(let reason) = output.failure {
      errors.write(MessageText.error("standard output cannot be written: \(reason)"))
      exitCode = .inputOutput
    }
    errors.flush()
    return exitCode.rawValue
  }

  /// Removes names of locales that are too long from the environment. With such a name, a comparison of titles would
  /// crash in Foundation's library for Unicode, which has room for 157 bytes.
  private static func removeLongLocales() {
    for name in ["LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LANG"] {
      if let value = unsafe getenv(name), unsafe strlen(value) > 100 { unsafe unsetenv(name) }
    }
  }

  /// The error for an argument that is not UTF-8, such as the name of a file in another encoding. In
  /// `CommandLine.arguments`, its bytes are replaced, so that a file would not be found.
  private static var argumentError: UsageError? {
    for (number, argument) in CommandLine.arguments.enumerated().dropFirst() {
      guard let bytes = unsafe CommandLine.unsafeArgv[number], unsafe String(validatingCString: bytes) == nil else {
        continue
      }
      return UsageError(
        "argument \(number) is not UTF-8: '\(argument)'. Write the argument in UTF-8. A file whose name is not UTF-8 must "
          + "be renamed.")
    }
    return nil
  }

  /// The error for an environment variable with a path or an option that is not UTF-8.
  private static func error(in environment: [String: String]) -> UsageError? {
    for name in environment.keys.sorted() {
      guard ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].contains(name) || name.hasPrefix("MOVIES_"),
        let bytes = unsafe getenv(name), unsafe String(validatingCString: bytes) == nil
      else { continue }
      return UsageError(
        "the environment variable \(name) is not UTF-8: '\(environment[name, default: ""])'. Set it to a text in UTF-8."
      )
    }
    return nil
  }

  /// Runs a command line on the streams of the process. A signal ends the process.
  private static func run(_ words: [String], output: StandardStream, errors: StandardStream) -> ExitCode {
    let environment = ProcessInfo.processInfo.environment
    if let error = error(in: environment) {
      errors.write(MessageText.usage(error, program: name(startedAs: CommandLine.arguments.first ?? "")))
      return .usage
    }
    let flush = Locked<(@Sendable () -> Void)?>(nil)
    // Whether a signal ends the process. The command continues while its files are written, but its output is dropped.
    let hasSignal = Locked(false)
    let isEnding: @Sendable () -> Bool = { hasSignal.withLock { $0 } }
    SignalWatch.begin([SIGINT, SIGTERM, SIGHUP, SIGQUIT], isExclusive: true) { number in
      hasSignal.withLock { $0 = true }
      // Files are replaced in one step, so they are complete at any time.
      RawTerminal.standard.leave(processEnds: true)
      flush.withLock { $0 }?()
      // A reader that has stopped reading does not keep the process.
      let isWritten = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        output.flush()
        errors.flush()
        isWritten.signal()
      }
      _ = isWritten.wait(timeout: .now() + 1)
      // The system may keep an image of the process, which is the purpose of this signal.
      if number == SIGQUIT { raise(number) }
      _exit(128 + number)
    }
    var runner = CommandRunner(
      environment: environment,
      console: { console(for: $0, environment: environment, output: output, errors: errors, isEnding: isEnding) },
      willFlush: { work in
        // A script begins no command after the signal.
        if work != nil, isEnding() { waitForever() }
        flush.withLock { $0 = work }
      })
    runner.program = name(startedAs: CommandLine.arguments.first ?? "")
    // The main thread waits here. If it were asynchronous, Dispatch would let it receive all signals.
    let exitCode = Locked(ExitCode.done)
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached { [runner] in
      let code = await runner.run(words)
      exitCode.withLock { $0 = code }
      hasEnded.signal()
    }
    hasEnded.wait()
    // The exit code is that of the signal, even if the command ends first.
    if isEnding() { waitForever() }
    return exitCode.withLock { $0 }
  }

  /// Waits until another thread ends the process.
  private static func waitForever() { DispatchSemaphore(value: 0).wait() }

  /// The command that started the program, so that suggestions work as they are printed.
  ///
  /// - Parameter folder: The folder in which the suggestions are typed.
  static func name(
    startedAs path: String, in folder: String = FileManager.default.currentDirectoryPath
  ) -> String {
    let description = CommandLineDescription.movies.program
    // `swift run` starts the executable in the build folder. It works in the folder of the package.
    if let build = path.firstRange(of: ".build/") {
      let here = URL(filePath: folder, directoryHint: .isDirectory)
      let package = URL(filePath: path[..<build.lowerBound] + ".", relativeTo: here).standardizedFileURL
      if package.resolvingSymlinksInPath().path == here.resolvingSymlinksInPath().path,
        FileManager.default.fileExists(atPath: here.appending(path: "Package.swift").path)
      {
        return "swift run \(description)"
      }
    }
    return path.contains("/") ? TextStyle.harmless(shellWord(path)) : description
  }

  /// A text as one word of a command line, in quotes if a shell would change it.
  static func shellWord(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-+=:@%".contains($0)) }
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }

  private static func console(
    for options: GlobalOptions, environment: [String: String], output: StandardStream, errors: StandardStream,
    isEnding: @escaping @Sendable () -> Bool
  ) -> Console {
    var console = Console(
      output: { text, flush in
        if isEnding() { return }
        output.write(text, flush: flush || output.isTerminal)
      },
      errors: { text in
        if isEnding() { return }
        output.flush()
        errors.write(text, flush: true)
      })
    console.style = TextStyle(
      colors: .depth(options.color, isTerminal: output.isTerminal, environment: environment),
      width: output.columns(environment: environment), isForTerminal: output.isTerminal)
    console.errorStyle = TextStyle(
      colors: .depth(options.color, isTerminal: errors.isTerminal, environment: environment),
      width: errors.columns(environment: environment))
    console.isQuiet = options.quiet
    console.isInteractive = output.isTerminal
    // The log would be written into the line of the progress.
    let logsToErrors = options.logFile == nil && (options.log ?? .off) != .off
    if errors.isTerminal, !options.quiet, !logsToErrors, !["", "dumb"].contains(environment["TERM", default: ""]) {
      console.progress = ProgressLine(width: console.errorStyle.width ?? 80) { errors.write($0, flush: true) }
    }
    console.isClosed = { isEnding() || output.failure != nil }
    return console
  }
}
