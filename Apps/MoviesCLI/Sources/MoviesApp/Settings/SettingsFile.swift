import Foundation

/// The file of settings: lines such as `catalog = movies.csv`, blank lines, and comments that begin with `#`.
enum SettingsFile {
  /// A line that sets something.
  struct Entry: Equatable {
    var name: String
    var value: String
    var line: Int
  }

  /// Where the file is looked for: `$XDG_CONFIG_HOME/reelux-movies/settings`, else `~/.config/reelux-movies/settings`.
  static func path(environment: [String: String]) -> String? {
    if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") { return config + "/reelux-movies/settings" }
    return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config/reelux-movies/settings" }
  }

  /// Reads the file's entries; a file that is not there has none.
  static func read(_ path: String) throws(CommandFailure) -> [Entry] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure("\(path): the settings may not be read", .missingInput)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw CommandFailure("\(path): the settings are not UTF-8", .badData)
    }
    return try entries(text, path: path)
  }

  /// The entries of a text.
  static func entries(_ text: String, path: String) throws(CommandFailure) -> [Entry] {
    var entries: [Entry] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = TextTrimming.trimmed(line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? TextTrimming.trimmed(parts[1]) : ""
      guard let name = parts.first.map({ TextTrimming.trimmed($0) }), !name.isEmpty, !value.isEmpty else {
        throw CommandFailure("\(path):\(index + 1): expected 'name = value', such as 'color = never'", .badData)
      }
      entries.append(Entry(name: name, value: value, line: index + 1))
    }
    return entries
  }
}
