/// When colour is used.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  /// On a terminal, unless the environment is against it.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// How text looks: with colour or without, and how wide it may be.
package struct TextStyle: Hashable, Sendable {
  /// A way to set text apart. It never carries a meaning that the words do not.
  package enum Emphasis: String, Sendable {
    /// Headings and names.
    case strong = "1"
    /// What matters less.
    case faint = "2"
    /// Something went wrong.
    case bad = "31"
    /// Something went well.
    case good = "32"
    /// A favourite.
    case favorite = "35"
  }

  /// Whether escape sequences are used.
  package var usesColor: Bool

  /// The width that no line exceeds; `nil` when there is none.
  package var width: Int?

  /// Creates a style; by default plain and of any width.
  package init(usesColor: Bool = false, width: Int? = nil) {
    self.usesColor = usesColor
    self.width = width
  }

  /// The text with this emphasis.
  func emphasized(_ text: String, _ emphasis: Emphasis) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// The text, no wider than the style allows.
  func fitted(_ text: String) -> String {
    width.map { TextWidth.shortened(text, to: $0) } ?? text
  }

  /// Whether colour is used: the flag first, then the environment, then the stream.
  ///
  /// `NO_COLOR` counts when it is set and not empty (no-color.org), `TERM` when it is `dumb`.
  package static func usesColor(
    _ choice: ColorChoice, isTerminal: Bool, environment: [String: String]
  ) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// The text without control characters, which could rewrite the terminal; a newline becomes a blank.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(
        isControl(scalar) ? (scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : "\u{FFFD}") : scalar)
    }
    return String(result)
  }

  /// Control characters, and those that turn the direction of the text after them.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
