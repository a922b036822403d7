import ReeluxCore
import Foundation

/// A script run: a command a line, `#` comments, and `expect` lines about the command before them.
///
/// A command that fails ends the script, unless the next line expects its exit code.
struct ScriptRunner {
  /// What the last command wrote, and how it ended.
  private struct Last {
    var command: String
    var line: Int
    var text: String
    var exitCode: ExitCode
    var isExpected: Bool
  }

  let file: String
  let runner: CommandRunner
  let options: [String: String]
  let console: Console

  /// Runs the script to its end, or to the first failure, which names file and line.
  func run() async throws(CommandFailure) -> ExitCode {
    var last: Last?
    for (index, text) in try text().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let number = index + 1
      switch try parse(text, number) {
      case .nothing: continue
      case .expectText(let wanted):
        guard let command = last else { throw failure(number, "'expect' comes before any command") }
        guard command.text.contains(wanted) else {
          throw failure(number, "expected '\(wanted)' in what '\(command.command)' wrote")
        }
      case .expectExit(let code):
        guard let command = last else { throw failure(number, "'expect' comes before any command") }
        guard command.exitCode.rawValue == code else {
          throw failure(number, "expected '\(command.command)' to end with \(code), not \(command.exitCode.rawValue)")
        }
        last?.isExpected = true
      case .command(let words):
        try checkUnexpected(last)
        last = await run(words, number)
      }
    }
    try checkUnexpected(last)
    return .done
  }

  private func checkUnexpected(_ last: Last?) throws(CommandFailure) {
    guard let last, last.exitCode != .done, !last.isExpected else { return }
    throw failure(last.line, "'\(last.command)' ended with \(last.exitCode.rawValue)")
  }

  /// Runs a command whose output is shown and kept.
  private func run(_ words: [String], _ number: Int) async -> Last {
    let written = Locked("")
    var inner = runner
    inner.isInScript = true
    // A recording is of one store, so that the lines do not share the script's.
    inner.inherited = options.filter { $0.key != "--record" }
    inner.console = { [runner] options in
      var console = runner.console(options)
      let (output, errors) = (console.output, console.errors)
      console.output = { text, flush in
        written.withLock { $0 += text }
        output(text, flush)
      }
      console.errors = { text in
        written.withLock { $0 += text }
        errors(text)
      }
      return console
    }
    let exitCode = await inner.run(words)
    return Last(
      command: words.joined(separator: " "), line: number, text: written.withLock { $0 }, exitCode: exitCode,
      isExpected: false)
  }

  private func parse(_ text: Substring, _ number: Int) throws(CommandFailure) -> ScriptLine {
    do throws(UsageError) { return try ScriptLine(text) } catch { throw failure(number, error.message) }
  }

  private func failure(_ line: Int, _ message: String) -> CommandFailure {
    CommandFailure("\(file):\(line): \(message)", .failed)
  }

  /// The text of the file, or of standard input for `-`.
  private func text() throws(CommandFailure) -> String {
    let data: Data?
    if file == "-" {
      data = try? FileHandle.standardInput.readToEnd() ?? Data()
    } else {
      try InputFile.check(file)
      data = FileManager.default.contents(atPath: file)
    }
    guard let data else { throw CommandFailure("\(file): the file may not be read", .missingInput) }
    guard let text = String(data: data, encoding: .utf8) else {
      throw CommandFailure("\(file): the script is not UTF-8", .badData)
    }
    return text
  }
}
