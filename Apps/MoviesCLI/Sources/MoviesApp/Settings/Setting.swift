/// An option that may also be given outside the command line, and where its value came from.
package struct Setting: Hashable, Sendable {
  /// Where a value came from; an earlier one wins over a later one.
  package enum Origin: Hashable, Sendable {
    /// The command line.
    case flag
    /// An environment variable of this name.
    case environment(String)
    /// A line of the settings file.
    case file(String, line: Int)
    /// Nowhere: it is what the program does by itself.
    case standard
  }

  /// The option: `--catalog`.
  package let option: String

  /// The value as it was written; for a standard one, what it means.
  package let value: String

  /// Where it came from.
  package let origin: Origin

  /// The name in a settings file: `catalog`.
  package var name: String { String(option.drop { $0 == "-" }) }

  /// The environment variable of an option: `MOVIES_DATA_DIR`.
  static func variable(of option: String) -> String {
    "MOVIES_" + option.drop { $0 == "-" }.replacing("-", with: "_").uppercased()
  }
}
