/// When colour is used.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  /// On a terminal, unless the environment is against it.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// How many colours a terminal shows.
package enum ColorDepth: Hashable, Sendable {
  /// None: text is bold or inverted at most.
  case none
  /// The 16 colours of the terminal's own palette.
  case sixteen
  /// The 256 colours of xterm.
  case many

  /// The colours to use: the flag decides first, then the environment, then the stream.
  ///
  /// `NO_COLOR` counts if it is set and not empty (no-color.org). `TERM` and `COLORTERM` say what the terminal can do;
  /// a terminal that they do not describe gets 16 colours, since all colour terminals have these.
  package static func depth(
    _ choice: ColorChoice, isTerminal: Bool, environment: [String: String]
  ) -> ColorDepth {
    let name = environment["TERM", default: ""]
    switch choice {
    case .never: return .none
    case .auto where !isTerminal || !environment["NO_COLOR", default: ""].isEmpty || isMonochrome(name): return .none
    case .auto, .always: break
    }
    let hasMillions = ["truecolor", "24bit"].contains(environment["COLORTERM", default: ""])
    return hasMillions || name.contains("256color") || name.hasSuffix("-direct") ? .many : .sixteen
  }

  /// Whether a terminal of this name has no colours; the names are those of terminfo.
  private static func isMonochrome(_ name: String) -> Bool {
    if name.hasSuffix("-m") || name.hasSuffix("-mono") { return true }
    return ["dumb", "unknown", "vt52", "vt100", "vt102", "vt220", "vt320"].contains(name)
  }
}
