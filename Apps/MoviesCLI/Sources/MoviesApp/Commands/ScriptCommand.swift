import Foundation
import ReeluxCore

extension Command {
  /// `run`
  static let script = Command(
    "run", .one("FILE", .file), summary: "Run a script with one command on each line.",
    details: """
      FILE has one command on each line, without the program's name. A line has at most 1 MB. A word that begins with #
      starts a comment. Single or double quotes keep the blanks of a word. Outside of single quotes, a backslash makes
      the next character literal. FILE may be - for standard input. Then each command runs as soon as its line has
      arrived.

      After a command, 'expect TEXT' checks its output, and 'expect exit N' checks its exit code. 'expect TEXT' also
      finds notes and errors. Case matters. Several blanks in TEXT count as one, unless they are in quotes. On a
      terminal, TEXT is compared with the same text as in a pipe: without colours, and in full width.

      A command that ends with another exit code than 0 is a failure, unless an 'expect exit N' after it expects this
      code. The first failed command or expectation ends the script, and 'run' ends with exit code 1. A script may not
      run another one. A script can write files, as its commands can. Read a script by somebody else before you run it.
      """,
    examples: ["run tour.movies"], refused: ["--record"]
  ) { (arguments) throws(UsageError) in
    if arguments.has("--record") {
      throw arguments.error("cannot record; add --record to a command in the script")
    }
    if arguments.text("--catalog") == "-" {
      throw arguments.error(
        arguments.first == "-"
          ? "reads the script from standard input; name a file for the catalogue"
          : "can read a catalogue from standard input only once; name a file for the catalogue")
    }
    return { (context) async throws(CommandFailure) in
      guard !context.runner.isInScript else { throw CommandFailure("a script may not run another one", .usage) }
      try await ScriptRunner(file: arguments.first, runner: context.runner, console: context.console).run()
    }
  }
}

/// The run of a script: one command on each line, `#` comments, and `expect` lines about the preceding command.
///
/// A command that fails ends the script, unless an `expect exit` line before the next command expects its exit code.
struct ScriptRunner {
  /// The output and the exit code of the last command.
  private struct Last {
    var command: String
    var line: Int
    var text: String
    var exitCode: ExitCode
    var isExpected: Bool
  }

  let file: String
  let runner: CommandRunner
  let console: Console

  /// Runs the script up to its end or to the first failure. The failure names file and line.
  func run() async throws(CommandFailure) {
    var last: Last?
    // The reason why no further line can read standard input.
    var obstacle = file == "-" ? "the script comes from there" : nil
    var lines = try ScriptLines(file)
    while let text = try lines.next() {
      let number = lines.count
      let line: ScriptLine
      do throws(UsageError) { line = try ScriptLine(text) } catch {
        try checkUnexpected(last)
        throw failure(number, error.message)
      }
      switch line {
      case .nothing: continue
      case .expectText(let wanted):
        guard let command = last else { throw failure(number, "'expect' comes before any command") }
        guard command.text.contains(wanted) else {
          throw failure(number, "the output of '\(command.command)' does not contain '\(wanted)'")
        }
      case .expectExit(let code):
        guard let command = last else { throw failure(number, "'expect' comes before any command") }
        guard command.exitCode.rawValue == code else {
          throw failure(number, "expected '\(command.command)' to end with \(code), not \(command.exitCode.rawValue)")
        }
        last?.isExpected = true
      case .command(let words):
        try checkUnexpected(last)
        if Self.readsStandardInput(words) {
          if let obstacle {
            throw failure(
              number, "'\(Self.name(of: words))' cannot read standard input, because \(obstacle). Name a file.")
          }
          obstacle = "line \(number) reads it"
        }
        last = await run(words, number)
      }
    }
    try checkUnexpected(last)
  }

  private func checkUnexpected(_ last: Last?) throws(CommandFailure) {
    guard let last, last.exitCode != .done, !last.isExpected else { return }
    throw failure(last.line, "'\(last.command)' ended with \(last.exitCode.rawValue)")
  }

  private static func readsStandardInput(_ words: [String]) -> Bool {
    guard case .run(_, let arguments) = try? CommandLineDescription.movies.parse(words) else { return false }
    return arguments.inputFiles.contains("-") || arguments.text("--catalog") == "-"
  }

  /// Runs a command, and prints its output. The output is kept as a pipe would receive it, so that a script gives the
  /// same result on every terminal and without one.
  private func run(_ words: [String], _ number: Int) async -> Last {
    let written = Locked("")
    var inner = runner
    inner.isInScript = true
    inner.inputs = [file]
    inner.console = { [runner] options in
      var console = runner.console(options)
      console.copy = { text in written.withLock { $0 += text } }
      return console
    }
    let exitCode = await inner.run(words)
    // The reader of a pipe may wait for this output before it writes the next line.
    console.output("", true)
    return Last(
      command: Self.name(of: words), line: number, text: written.withLock { $0 }, exitCode: exitCode,
      isExpected: false)
  }

  /// A command in messages. The line of a file that is not a script can be long.
  private static func name(of words: [String]) -> String {
    TextWidth.shortened(words.joined(separator: " "), to: 80)
  }

  private func failure(_ line: Int, _ message: String) -> CommandFailure {
    CommandFailure("\(InputFile.name(file)):\(line): \(message)", .failed)
  }
}

/// The lines of a script. A file is read before its first command runs. Standard input is read line by line, so a
/// program can send a command after it has the output of the previous one.
struct ScriptLines: ~Copyable {
  /// The largest number of bytes in a line, without its end. An input without line ends, such as `/dev/zero`, may have
  /// no end.
  private static let longestLine = 1_000_000

  private let file: String
  private let input: InputReader
  /// The bytes that were read and are not part of `waiting`.
  private var piece: ArraySlice<UInt8> = []
  /// The lines that were read, in reverse order.
  private var waiting: [Substring] = []
  /// The number of lines that `next` has returned.
  private(set) var count = 0

  init(_ file: String) throws(CommandFailure) {
    self.file = file
    input = try InputReader(file)
  }

  /// Returns the next line, or `nil` at the end.
  mutating func next() throws(CommandFailure) -> Substring? {
    // Lines that are added to a file while it runs are not run.
    if waiting.isEmpty, file == "-" || count == 0 {
      var text: [UInt8] = []
      var number = count + 1
      while file != "-" || text.isEmpty, let line = try nextBytes(of: number) {
        text += line
        number += 1
      }
      if !text.isEmpty { waiting = try Self.lines(of: text, in: file) }
    }
    guard let line = waiting.popLast() else { return nil }
    count += 1
    return line
  }

  /// Returns the bytes of the next line and its end, or `nil` at the end of the input.
  private mutating func nextBytes(of number: Int) throws(CommandFailure) -> [UInt8]? {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      if piece.isEmpty {
        guard let bytes = try input.next() else { break }
        piece = bytes[...]
      }
      let end = piece.firstIndex(of: UInt8(ascii: "\n")) ?? piece.endIndex
      line += piece[..<end]
      piece = piece[end...]
      if line.count > Self.longestLine {
        throw CommandFailure(
          "\(InputFile.name(file)):\(number): the line has more than 1 MB. A script has one command on each line.",
          .badData)
      }
      if let end = piece.popFirst() { line.append(end) }
    }
    return line.isEmpty ? nil : line
  }

  /// The lines of a text without a byte order mark, in reverse order.
  private static func lines(of bytes: some Sequence<UInt8>, in file: String) throws(CommandFailure) -> [Substring] {
    let mark = "\u{FEFF}".utf8
    guard let text = String(validating: bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0), as: UTF8.self)
    else {
      throw CommandFailure("\(InputFile.name(file)): the script is not UTF-8", .badData)
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return (text.last?.isNewline == true ? lines.dropLast() : lines[...]).reversed()
  }
}

/// A parsed line of a script.
enum ScriptLine: Equatable {
  /// A command line.
  case command([String])
  /// An expectation that the output of the last command contains this text.
  case expectText(String)
  /// An expectation that the last command ended with this exit code.
  case expectExit(Int32)
  /// A blank line or a comment.
  case nothing

  /// Parses a line. Words are separated by blanks. Single and double quotes group. Outside of single quotes, a
  /// backslash makes the next character literal. A `#` at the start of a word begins a comment.
  init(_ text: some StringProtocol) throws(UsageError) {
    let words = try Self.words(text)
    guard let first = words.first else {
      self = .nothing
      return
    }
    guard first == "expect" else {
      self = .command(words)
      return
    }
    let rest = Array(words.dropFirst())
    if rest.count == 2, rest[0] == "exit" {
      guard let code = Int32(rest[1]) else {
        throw UsageError(
          "an exit code is a whole number, not '\(rest[1])'. To expect a text, quote it: expect 'exit \(rest[1])'")
      }
      self = .expectExit(code)
    } else if rest.allSatisfy(\.isEmpty) {
      // Every output contains an empty text, so it would check nothing.
      throw UsageError("'expect' needs a text, or 'exit' and a number")
    } else {
      self = .expectText(rest.joined(separator: " "))
    }
  }

  private static func words(_ text: some StringProtocol) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    func add(_ character: Character) {
      if word == nil { word = "" }
      word?.append(character)
    }
    for character in text {
      if isEscaped {
        add(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { add(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else if character == "#", word == nil {
        break
      } else {
        add(character)
      }
    }
    guard !isEscaped else {
      throw UsageError("a line cannot be continued with a backslash; write the command on one line")
    }
    guard quote == nil else { throw UsageError("a quote is not closed") }
    return words + (word.map { [$0] } ?? [])
  }
}
