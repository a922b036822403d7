/// The values of all options that have one everywhere: flag, then environment, then file, then the standard one.
package struct Settings: Hashable, Sendable {
  /// The settings, in the order of the help.
  package let all: [Setting]

  /// The options that can be set outside the command line, and what they are when they are not set.
  static func options(of description: CommandLineDescription) -> [OptionDescription] {
    // A recording is of one run; a flag has no value.
    description.globalOptions.filter { $0.value != nil && $0.name != "--record" }
  }

  /// Finds the value of each option.
  ///
  /// - Throws: A failure with exit code 64 about a variable, 65 about a line of the file.
  package init(
    flags: [String: String], environment: [String: String], description: CommandLineDescription = .movies
  ) throws(CommandFailure) {
    let options = Self.options(of: description)
    let path = SettingsFile.path(environment: environment)
    var lines: [String: Setting] = [:]
    for entry in try path.map({ (path) throws(CommandFailure) in try SettingsFile.read(path) }) ?? [] {
      let place = "\(path ?? ""):\(entry.line)"
      guard let option = options.first(where: { $0.name == "--\(entry.name)" }) else {
        let known = options.map { String($0.name.dropFirst(2)) }
        throw CommandFailure(
          "\(place): \(UsageError.unknown("setting", entry.name, among: known).message)", .badData)
      }
      if let fault = Self.fault(option, entry.value) { throw CommandFailure("\(place): \(fault)", .badData) }
      lines[option.name] = Setting(
        option: option.name, value: entry.value, origin: .file(path ?? "", line: entry.line))
    }
    var all: [Setting] = []
    for option in options {
      let variable = Setting.variable(of: option.name)
      if let value = flags[option.name] {
        all.append(Setting(option: option.name, value: value, origin: .flag))
      } else if let value = environment[variable], !value.isEmpty {
        if let fault = Self.fault(option, value) { throw CommandFailure("\(variable): \(fault)", .usage) }
        all.append(Setting(option: option.name, value: value, origin: .environment(variable)))
      } else {
        all.append(
          lines[option.name]
            ?? Setting(
              option: option.name, value: Self.standard(option.name, environment), origin: .standard))
      }
    }
    self.all = all
  }

  /// The options with values from outside the command line, as if they stood on it.
  var options: [String: String] {
    Dictionary(all.filter { $0.origin != .standard }.map { ($0.option, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// What is wrong with a value, if anything is.
  private static func fault(_ option: OptionDescription, _ value: String) -> String? {
    guard option.choices.isEmpty || option.choices.contains(value) else {
      return "'\(option.name.dropFirst(2))' is one of \(Prose.list(option.choices, "or")), not '\(value)'"
    }
    let command = CommandDescription("settings", summary: "")
    let parsed = ParsedArguments(request: .run(command), options: [option.name: value])
    do throws(UsageError) {
      _ = try Invocation(parsed, command: command)
      return nil
    } catch {
      return error.message
    }
  }

  /// What an option is when nobody sets it.
  private static func standard(_ option: String, _ environment: [String: String]) -> String {
    switch option {
    case "--catalog": "built-in"
    case "--data-dir": DataDirectory.path(option: nil, environment: environment)
    case "--log": "off"
    case "--log-file": "standard error"
    case "--latency": "0ms"
    case "--failure-rate": "0"
    case "--seed": "random"
    default: "auto"
    }
  }
}
