/// A command line taken apart along its description: names are known and counts are right, values are still text.
package struct ParsedArguments: Hashable, Sendable {
  /// What the command line asks for.
  package enum Request: Hashable, Sendable {
    /// Help on the program, or on the command or group of commands of this name.
    case help(String?)
    /// The version.
    case version
    /// To run this command.
    case run(CommandDescription)
  }

  /// What the command line asks for.
  package var request: Request

  /// The options' values by name; flags have the value `""`. Of an option given twice, the last counts.
  package var options: [String: String] = [:]

  /// The arguments named by place.
  package var arguments: [String] = []

  /// Whether a flag is there.
  func has(_ flag: String) -> Bool { options[flag] != nil }
}
