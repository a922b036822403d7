import Foundation

/// The values of the options that every command takes, except flags and `--record`. The command line has precedence
/// over the environment, the environment over the file, and the file over the default.
package struct Settings: Hashable, Sendable {
  /// The settings, in the order of the help.
  package let all: [Setting]

  /// The options that can be set by the environment or a file.
  static func options(of description: CommandLineDescription) -> [OptionDescription] {
    // `--record` is about a single run, and a flag has no value.
    description.globalOptions.filter { $0.value != nil && $0.name != "--record" }
  }

  /// Determines the value of each option.
  ///
  /// - Parameter isUsed: Whether the environment and the file count.
  /// - Throws: A failure with exit code 64 for a variable, 65 for the content of the file, or 66 if the file cannot be
  ///   read.
  package init(
    flags: [String: String], environment: [String: String], isUsed: Bool = true
  ) throws(CommandFailure) {
    let options = Self.options(of: .movies)
    let path = isUsed ? SettingsFile.path(environment: environment) : nil
    let environment = isUsed ? environment : [:]
    var lines: [String: Setting] = [:]
    for entry in try path.map({ (path) throws(CommandFailure) in try SettingsFile.read(path) }) ?? [] {
      let place = "\(path ?? ""):\(entry.line)"
      guard let option = options.first(where: { $0.name == "--\(entry.name)" }) else {
        let known = options.map { String($0.name.dropFirst(2)) }
        let unknown = UsageError.unknown("setting", entry.name, among: known, list: "settings --help")
        throw CommandFailure("\(place): \(unknown.message)", .badData)
      }
      if let fault = Self.fault(option, entry.value, name: entry.name) {
        throw CommandFailure("\(place): \(fault)", .badData)
      }
      lines[option.name] = Setting(
        option: option.name, value: Self.expanded(entry.value, of: option, environment: environment),
        origin: .file(path ?? "", line: entry.line))
    }
    var all: [Setting] = []
    for option in options {
      let variable = Setting.variable(of: option.name)
      if let value = flags[option.name] {
        all.append(Setting(option: option.name, value: value, origin: .flag))
      } else if let value = environment[variable], !value.isEmpty {
        if let fault = Self.fault(option, value, name: variable) { throw CommandFailure(fault, .usage) }
        all.append(
          Setting(
            option: option.name, value: Self.expanded(value, of: option, environment: environment),
            origin: .environment(variable)))
      } else {
        all.append(
          lines[option.name]
            ?? Setting(
              option: option.name, value: Self.standard(option.name, environment), origin: .standard))
      }
    }
    self.all = all
  }

  /// The value of a file or a variable, in which no shell has replaced a leading `~/`.
  private static func expanded(
    _ value: String, of option: OptionDescription, environment: [String: String]
  ) -> String {
    option.kind == .file || option.kind == .folder ? HomeFolder.expanding(value, environment: environment) : value
  }

  /// The options that were set outside the command line.
  var options: [String: String] {
    Dictionary(all.filter { $0.origin != .standard }.map { ($0.option, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The message of a failure. If the message begins with the name of a file or folder that was set outside the command
  /// line, its end is the place of the setting.
  func withOrigin(_ message: String) -> String {
    let paths = Self.options(of: .movies).filter { $0.kind == .file || $0.kind == .folder }.map(\.name)
    for setting in all where paths.contains(setting.option) && message.hasPrefix("\(setting.value):") {
      guard let place = setting.origin.place else { continue }
      return "\(message)\(message.hasSuffix(".") ? "" : ".") \(place) names this file."
    }
    return message
  }

  /// The reason why a value is invalid; `nil` if it is valid.
  ///
  /// - Parameter name: The name in the message: that of the variable, or of the setting in the file.
  private static func fault(_ option: OptionDescription, _ value: String, name: String) -> String? {
    guard option.choices.isEmpty || option.choices.contains(value) else {
      return "\(name) is one of \(Prose.list(option.choices, "or")), not '\(value)'"
    }
    do throws(UsageError) {
      _ = try GlobalOptions(Arguments(command: "settings", options: [option.name: value]))
      return nil
    } catch {
      return error.message.replacing(option.name, with: name, maxReplacements: 1)
    }
  }

  /// The default value of an option.
  private static func standard(_ option: String, _ environment: [String: String]) -> String {
    switch option {
    case "--catalog": GlobalOptions.builtInCatalog
    case "--data-dir": DataDirectory.path(option: nil, environment: environment)
    case "--log": "off; compact with log-file"
    case "--log-file": "standard error"
    case "--latency": "0ms; 700ms in browse"
    case "--failure-rate": "0"
    case "--seed": "random"
    default: "auto"
    }
  }
}

/// An option that may be set outside the command line, its value and its origin.
package struct Setting: Hashable, Sendable {
  /// The origin of a value. An earlier case has precedence over a later one.
  package enum Origin: Hashable, Sendable {
    /// The command line.
    case flag
    /// An environment variable of this name.
    case environment(String)
    /// A line of the settings file.
    case file(String, line: Int)
    /// The program's default.
    case standard

    /// The variable, or the file and the line; `nil` for the command line and for a default.
    var place: String? {
      switch self {
      case .environment(let variable): variable
      case .file(let path, let line): "\(path):\(line)"
      case .flag, .standard: nil
      }
    }
  }

  /// The option: `--catalog`.
  package let option: String

  /// The value as it was written, with the home folder in the place of a leading `~/`. For a default, its meaning.
  package let value: String

  package let origin: Origin

  /// The name in a settings file: `catalog`.
  package var name: String { String(option.drop { $0 == "-" }) }

  /// The environment variable of an option: `MOVIES_DATA_DIR`.
  static func variable(of option: String) -> String {
    "MOVIES_" + option.drop { $0 == "-" }.replacing("-", with: "_").uppercased()
  }
}

/// The settings file: lines such as `catalog = movies.csv`, blank lines, and comments that begin with `#`.
enum SettingsFile {
  /// A line with a setting.
  struct Entry: Equatable {
    var name: String
    var value: String
    var line: Int
  }

  /// The path of the file: `$XDG_CONFIG_HOME/reelux-movies/settings`, else `~/.config/reelux-movies/settings`. A
  /// relative `XDG_CONFIG_HOME` is ignored. `nil` if there is no home folder either.
  static func path(environment: [String: String]) -> String? {
    if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") { return config + "/reelux-movies/settings" }
    return HomeFolder.path(environment: environment).map { $0 + "/.config/reelux-movies/settings" }
  }

  /// Reads the entries of the file. A missing file has none. So has a file in a folder that the user may not open: a
  /// program that runs as another user often has the `HOME` of the user who started it.
  static func read(_ path: String) throws(CommandFailure) -> [Entry] {
    if unsafe access(path, F_OK) != 0, errno == EACCES { return [] }
    guard InputFile.exists(path) else { return [] }
    // A named pipe without a writer would wait forever.
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
      throw CommandFailure("\(path): the settings are a named pipe; use a file", .missingInput)
    }
    guard let text = String(data: try InputFile.data(path), encoding: .utf8) else {
      throw CommandFailure("\(path): the settings are not UTF-8", .badData)
    }
    return try entries(text, path: path)
  }

  /// The entries of a text.
  static func entries(_ text: String, path: String) throws(CommandFailure) -> [Entry] {
    var entries: [Entry] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? parts[1].trimmed : ""
      guard let name = parts.first.map({ $0.trimmed }), !name.isEmpty, !value.isEmpty else {
        throw CommandFailure("\(path):\(index + 1): expected 'name = value', such as 'color = never'", .badData)
      }
      entries.append(Entry(name: name, value: value, line: index + 1))
    }
    return entries
  }
}
