extension CommandLineDescription {
  /// The help on the program, or on a command or a group of commands.
  package func help(_ topic: String? = nil) -> String {
    guard let topic else { return programHelp }
    if let command = command(named: topic) { return commandHelp(command) }
    let group = group(topic)
    return group.isEmpty ? programHelp : groupHelp(topic, group)
  }

  private var programHelp: String {
    var sections = [
      "\(program): \(summary)",
      section("Examples", examples.map { "\(program) \($0)" }),
      section("Usage", ["\(program) [COMMAND] [OPTIONS]", "\(program) COMMAND --help"]),
      section(
        "Commands", rows(commands.map { ($0.name == defaultCommand ? "[\($0.usage)]" : $0.usage, $0.summary) })),
      section(
        "Options of every command",
        rows(
          globalOptions.map { ($0.usage, $0.summary) } + [
            ("-h, --help", "print help"), ("--version", "print the version"),
          ])),
    ]
    sections += notes.map { section($0.heading, $0.lines) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private func commandHelp(_ command: CommandDescription) -> String {
    var sections = [command.summary]
    if !command.examples.isEmpty { sections.append(section("Examples", command.examples.map { "\(program) \($0)" })) }
    let options = command.options.map { " [\($0.usage)]" }.joined()
    sections.append(section("Usage", ["\(program) \(command.usage)\(options)"]))
    if !command.details.isEmpty { sections.append(command.details) }
    if !command.options.isEmpty { sections.append(section("Options", optionRows(command.options))) }
    sections.append(section("Options of every command", optionRows(globalOptions)))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private func groupHelp(_ name: String, _ group: [CommandDescription]) -> String {
    let examples = group.flatMap(\.examples).map { "\(program) \($0)" }
    return [
      section("Examples", examples),
      section("Commands", rows(group.map { ($0.usage, $0.summary) })),
      "See '\(program) \(name) COMMAND --help' for one of them.",
    ].joined(separator: "\n\n") + "\n"
  }

  private func optionRows(_ options: [OptionDescription]) -> [String] {
    rows(options.map { ($0.usage, $0.summary) } + [("-h, --help", "print help")])
  }

  private func section(_ heading: String, _ lines: [String]) -> String {
    ([heading + ":"] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
  }

  /// Two columns; a left part that is too wide stands on a line of its own.
  private func rows(_ pairs: [(String, String)]) -> [String] {
    let width = pairs.map(\.0.count).filter { $0 <= 28 }.max() ?? 0
    return pairs.flatMap { left, right in
      left.count > width
        ? [left, String(repeating: " ", count: width + 2) + right]
        : [left + String(repeating: " ", count: width + 2 - left.count) + right]
    }
  }
}
