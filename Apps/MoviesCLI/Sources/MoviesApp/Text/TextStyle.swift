/// The style of text: its colours and its largest width.
package struct TextStyle: Hashable, Sendable {
  /// An emphasis. It never carries a meaning that the words do not.
  package enum Emphasis: Sendable {
    /// Headings and names.
    case strong
    /// Less important text.
    case faint
    /// A failure.
    case bad
    /// A success.
    case good
    /// A favourite.
    case favorite

    /// The parameters of the escape sequence. The 256-colour values are readable on white and on black.
    func code(_ colors: ColorDepth) -> String {
      switch self {
      case .strong: "1"
      case .faint: "2"
      case .bad: colors == .many ? "38;5;167" : "31"
      case .good: colors == .many ? "38;5;28" : "32"
      case .favorite: colors == .many ? "38;5;169" : "35"
      }
    }
  }

  /// The available colours. Without colours, no escape sequences are written.
  package var colors: ColorDepth

  /// The largest width of a line; `nil` for no limit.
  package var width: Int?

  /// Whether a terminal receives the text. A terminal must not receive a control character in any format.
  package var isForTerminal: Bool

  package init(colors: ColorDepth = .none, width: Int? = nil, isForTerminal: Bool = false) {
    self.colors = colors
    self.width = width
    self.isForTerminal = isForTerminal
  }

  /// The text with this emphasis.
  func emphasized(_ text: String, _ emphasis: Emphasis) -> String {
    colors != .none && !text.isEmpty ? "\u{1B}[\(emphasis.code(colors))m\(text)\u{1B}[0m" : text
  }

  /// The text, cut to the width of the style.
  ///
  /// - Parameter columns: The columns that are taken by what precedes the text.
  func fitted(_ text: String, after columns: Int = 0) -> String {
    width.map { TextWidth.shortened(text, to: max(0, $0 - columns)) } ?? text
  }

  /// The text without control characters, which could change the terminal. A newline, carriage return or tab becomes a
  /// blank, and any other one becomes U+FFFD.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(
        isControl(scalar) ? (scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : "\u{FFFD}") : scalar)
    }
    return String(result)
  }

  /// Whether a scalar is a control character or changes the direction of the following text.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
