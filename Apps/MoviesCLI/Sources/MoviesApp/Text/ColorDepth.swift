/// The values of `--color`.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  /// Colour on a terminal, unless an environment variable disables it.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// The number of colours that a terminal shows.
package enum ColorDepth: Hashable, Sendable {
  /// No colours. On the full screen, text may be bold or inverted.
  case none
  /// The 16 colours of the terminal's own palette.
  case sixteen
  /// The 256 colours of xterm.
  case many

  /// The colours to use. `always` and `never` have precedence over the environment. With `auto`, there are colours only
  /// on a terminal for which the environment does not disable them.
  ///
  /// `NO_COLOR` has an effect if it is set and not empty (no-color.org). `TERM` and `COLORTERM` give the colours of the
  /// terminal. A terminal whose name is not known gets 16 colours, because all colour terminals have these. The name
  /// `unknown` gets none, and neither does a terminal without a name.
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

  /// Whether a terminal with this terminfo name has no colours.
  private static func isMonochrome(_ name: String) -> Bool {
    if name.hasSuffix("-m") || name.hasSuffix("-mono") { return true }
    return ["", "dumb", "unknown", "vt52", "vt100", "vt102", "vt220", "vt320"].contains(name)
  }
}
