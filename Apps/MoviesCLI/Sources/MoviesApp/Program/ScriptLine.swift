/// A line of a script, taken apart.
enum ScriptLine: Equatable {
  /// A command line.
  case command([String])
  /// The output of the last command must contain this.
  case expectText(String)
  /// The last command must have ended with this code.
  case expectExit(Int32)
  /// Nothing: a blank line or a comment.
  case nothing

  /// Reads a line: words between blanks, quotes of both kinds, a backslash before what is meant literally, and comments from a
  /// `#` at the start of a word.
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
    if rest.count == 2, rest[0] == "exit", let code = Int32(rest[1]) {
      self = .expectExit(code)
    } else if rest.isEmpty {
      throw UsageError("'expect' wants a text, or 'exit' and a number")
    } else {
      self = .expectText(rest.joined(separator: " "))
    }
  }

  private static func words(_ text: some StringProtocol) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else if character == "#", word == nil {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw UsageError("a quote is never closed") }
    return words + (word.map { [$0] } ?? [])
  }
}
