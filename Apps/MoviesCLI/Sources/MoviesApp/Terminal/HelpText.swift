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
      section("Commands", rows(commands.map { (heading(of: $0), $0.summary) })),
      section(
        "Common options",
        rows(
          globalOptions.map { ($0.usage, $0.summary) } + [
            ("-h, --help", Self.helpSummary), ("--version", Self.versionSummary),
          ])),
    ]
    sections += notes.map { note in
      let paragraphs = note.text.split(separator: "\n\n")
      return section(note.heading, paragraphs.flatMap { Self.lines(Self.words($0), width: Self.width - 2) })
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static let helpSummary = "print help, as 'help COMMAND' does"
  private static let versionSummary = "print the version, as 'version' does"

  /// The command with its argument, in a list of commands.
  private func heading(of command: CommandDescription) -> String {
    command.name == defaultCommand ? "\(command.usage) (default)" : command.usage
  }

  private func commandHelp(_ command: CommandDescription) -> String {
    var sections = [command.summary]
    if !command.examples.isEmpty { sections.append(section("Examples", command.examples.map { "\(program) \($0)" })) }
    let usage = ["\(program) \(command.usage)"] + command.options.map { "[\($0.usage)]" }
    sections.append(section("Usage", Self.lines(usage, width: Self.width - 2, indent: 4)))
    if !command.details.isEmpty { sections.append(Self.paragraphs(command.details)) }
    let own = command.options.map { ($0.usage, $0.summary) }
    if !own.isEmpty { sections.append(section("Options", rows(own))) }
    let common = globalOptions(of: command).map { ($0.usage, $0.summary) } + [("-h, --help", "print help")]
    sections.append(section("Common options", rows(common)))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private func groupHelp(_ name: String, _ group: [CommandDescription]) -> String {
    let examples = group.flatMap(\.examples).map { "\(program) \($0)" }
    return [
      section("Examples", examples),
      section("Commands", rows(group.map { ($0.usage, $0.summary) })),
      "See '\(program) \(name) COMMAND --help' for the help on one command.",
    ].joined(separator: "\n\n") + "\n"
  }

  private func section(_ heading: String, _ lines: [String]) -> String {
    ([heading + ":"] + lines.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
  }

  /// The largest number of columns of a line, unless a word or an example is longer.
  private static let width = 80

  /// Two columns. If a left cell is too wide, the right cell follows on the next line.
  private func rows(_ pairs: [(String, String)]) -> [String] {
    let width = pairs.map(\.0.count).filter { $0 <= 28 }.max() ?? 0
    let blank = String(repeating: " ", count: width + 2)
    return pairs.flatMap { left, right in
      var lines = Self.lines(right.split(separator: " ").map(String.init), width: Self.width - width - 4)
        .map { blank + $0 }
      if left.count > width { return [left] + lines }
      lines[0] = left + lines[0].dropFirst(left.count)
      return lines
    }
  }

  /// The words in lines of this width. `indent` is the number of blanks before each line but the first.
  private static func lines(_ words: [String], width: Int, indent: Int = 0) -> [String] {
    var lines = [""]
    for word in words {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = word
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(repeating: " ", count: indent) + word)
      }
    }
    return lines
  }

  private static func words(_ text: Substring) -> [String] { text.split { $0 == " " || $0 == "\n" }.map(String.init) }

  /// The paragraphs of a text, which are separated by empty lines.
  private static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
      lines(words(paragraph), width: width).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}

extension CommandLineDescription {
  /// The manual page, in the man macros of roff.
  package func manualPage(version: String) -> String {
    var page = ".TH \(roff(program.uppercased())) 1 \"\" \"\(roff(program)) \(roff(version))\"\n"
    // A hyphen at the end of a line would look like a part of a path.
    page += ".nh\n"
    page += ".SH NAME\n\(roff(program)) \\- \(roff(summary))\n"
    page += ".SH SYNOPSIS\n.B \(roff(program))\n[COMMAND] [OPTIONS]\n"
    page += ".SH EXAMPLES\n.nf\n" + examples.map { roff("\(program) \($0)") + "\n" }.joined() + ".fi\n"
    page += ".SH COMMANDS\n"
    for command in commands {
      page += ".TP\n.B \(roff(heading(of: command)))\n\(roff(command.summary))\n"
      if !command.details.isEmpty { page += roff(command.details) + "\n" }
      for option in command.options { page += ".RS\n.TP\n.B \(roff(option.usage))\n\(roff(option.summary))\n.RE\n" }
    }
    page += ".SH COMMON OPTIONS\n"
    for option in globalOptions { page += ".TP\n.B \(roff(option.usage))\n\(roff(option.summary))\n" }
    page += ".TP\n.B \\-h, \\-\\-help\n\(roff(Self.helpSummary))\n"
    page += ".TP\n.B \\-\\-version\n\(roff(Self.versionSummary))\n"
    for note in notes {
      page += ".SH \(roff(note.heading.uppercased()))\n\(roff(note.text))\n"
    }
    return page
  }

  /// Text with everything escaped that roff would interpret.
  private func roff(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }.joined(separator: "\n")
  }
}
