/// The request that a command line expresses.
package enum CommandLineRequest: Hashable, Sendable {
  /// Print help on the program, or on a command or group of commands.
  case help(String?)
  /// Print the version.
  case version
  /// Run this command. The names of the options and the number of arguments are valid. Of the values, only those with a
  /// fixed set of choices are checked.
  case run(CommandDescription, Arguments)
}

extension CommandLineDescription {
  /// Parses a command line.
  ///
  /// Options may precede or follow the command, as `--limit 3` or `--limit=3`. After `--`, no word is an option.
  /// `--help` and `-h` before `--` have precedence over everything but an unknown command.
  package func parse(_ words: [String]) throws(UsageError) -> CommandLineRequest {
    let beforeDashes = words.prefix { $0 != "--" }
    var plain: [String] = []
    var options: [(name: String, value: String)] = []
    let wantsHelp = beforeDashes.contains("--help") || beforeDashes.contains("-h")
    var fault: UsageError?
    do throws(UsageError) { try split(words, &plain, &options) } catch { fault = error }
    if wantsHelp { return .help(try knownTopic(plain)) }
    if let fault { throw fault }
    if options.contains(where: { $0.name == "--version" }) { return .version }
    if plain.first == "version" {
      if plain.count > 1 { throw UsageError("'version' takes no argument '\(plain[1])'") }
      return .version
    }
    if plain.first == "help" { return .help(try knownTopic(Array(plain.dropFirst()))) }

    let command = try command(for: &plain)
    var arguments = Arguments(command: command.name, words: plain)
    for (name, value) in options {
      guard (command.options + globalOptions).contains(where: { $0.name == name }) else {
        let owners = commands.filter { $0.options.contains { $0.name == name } }.map { "'\($0.name)'" }
        throw UsageError(
          "'\(command.name)' has no option \(name); use it with \(Prose.list(owners, "or"))", command: command.name)
      }
      arguments.options[name] = value
      arguments.repeated[name, default: []].append(value)
    }
    try check(arguments.words, of: command)
    if command.argument?.kind == .file { arguments.inputFiles = arguments.words }
    return .run(command, arguments)
  }

  /// The last valid value of an option with choices, on a command line that may be invalid.
  func lastValue(of name: String, in words: [String]) -> String? {
    guard let option = option(named: name) else { return nil }
    let words = Array(words.prefix { $0 != "--" })
    for (index, word) in words.enumerated().reversed() {
      let value = word == name ? words.dropFirst(index + 1).first : nil
      if let value = value ?? (word.hasPrefix("\(name)=") ? String(word.dropFirst(name.count + 1)) : nil),
        option.choices.contains(value)
      {
        return value
      }
    }
    return nil
  }

  /// Separates options from other words.
  private func split(
    _ words: [String], _ plain: inout [String], _ options: inout [(name: String, value: String)]
  ) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        plain += rest
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        plain.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts.first ?? word
      if name == "-h" || name == "--help" || name == "--version" {
        if parts.count > 1 { throw UsageError("\(name) takes no value", command: topic(plain)) }
        if name == "--version" { options.append((name, "")) }
        continue
      }
      guard let option = option(named: name) else { throw unknownOption(name, plain) }
      if option.value == nil {
        guard parts.count == 1 else { throw UsageError("\(name) takes no value", command: topic(plain)) }
        options.append((name, ""))
      } else {
        options.append((name, try value(of: option, parts, &rest, plain)))
      }
    }
  }

  private func value(
    of option: OptionDescription, _ parts: [String], _ rest: inout ArraySlice<String>, _ plain: [String]
  ) throws(UsageError) -> String {
    let missing = UsageError("\(option.name) needs a value: \(option.usage)", command: topic(plain))
    var value = parts.count == 2 ? parts[1] : nil
    if value == nil, let next = rest.first, next != "--", !isOption(next) { value = rest.popFirst() }
    guard let value, !value.isEmpty else { throw missing }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      let closest = Suggestion.closest(to: value, among: option.choices).map { ". Did you mean '\($0)'?" } ?? ""
      throw UsageError(
        "\(option.name) is one of \(Prose.list(option.choices, "or")), not '\(value)'\(closest)", command: topic(plain))
    }
    return value
  }

  /// Finds the command, and removes its name from the front of the words. Without words, returns the default command.
  private func command(for plain: inout [String]) throws(UsageError) -> CommandDescription {
    guard let first = plain.first else {
      guard let command = command(named: defaultCommand) else { throw UsageError("name a command") }
      return command
    }
    let group = group(first)
    guard !group.isEmpty else {
      if first == program {
        throw UsageError(
          "unknown command '\(first)'; a line of a script begins with the command, without the program's name")
      }
      throw .unknown("command", first, among: firstWords + ["help", "version"])
    }
    if let command = group.first(where: { plain.starts(with: $0.words) }) {
      plain.removeFirst(command.words.count)
      return command
    }
    let seconds = group.compactMap { $0.words.dropFirst().first }
    guard plain.count > 1 else {
      throw UsageError("'\(first)' needs one of \(Prose.list(seconds, "or"))", command: first)
    }
    throw .unknown("command", plain[1], among: seconds, command: first)
  }

  private func check(_ arguments: [String], of command: CommandDescription) throws(UsageError) {
    let count = command.argument?.count ?? 0...0
    if arguments.count < count.lowerBound {
      throw UsageError("'\(command.name)' needs \(command.argument?.usage ?? "")", command: command.name)
    }
    if arguments.count > count.upperBound {
      throw UsageError(
        "'\(command.name)' takes no argument '\(arguments[count.upperBound])'", command: command.name)
    }
    // A file can have a name of blanks.
    let isText = command.argument?.kind == .text
    if arguments.contains(where: { isText ? $0.trimmed.isEmpty : $0.isEmpty }) {
      throw UsageError("an argument of '\(command.name)' is empty", command: command.name)
    }
  }

  /// The option with this name, of any command. Options with the same name either all take a value, or are all flags.
  private func option(named name: String) -> OptionDescription? {
    globalOptions.first { $0.name == name } ?? commands.lazy.flatMap(\.options).first { $0.name == name }
  }

  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("--") || word == "-h" else { return false }
    let name = word.prefix { $0 != "=" }
    return word == "-h" || name == "--help" || name == "--version" || option(named: String(name)) != nil
  }

  private func unknownOption(_ name: String, _ plain: [String]) -> UsageError {
    let command = topic(plain)
    let own = self.command(named: command)?.options ?? commands.flatMap(\.options)
    return .unknown(
      "option", name, among: (own + globalOptions).map(\.name) + ["--help", "--version"], command: command)
  }

  private func topic(_ plain: [String]) -> String { helpTopic(plain) ?? "" }

  /// The topic of a request for help. Throws if the words name no command.
  private func knownTopic(_ plain: [String]) throws(UsageError) -> String? {
    guard let first = plain.first, first != "help", first != "version" else { return nil }
    let group = group(first)
    if group.isEmpty || (plain.count > 1 && !group.contains { plain.starts(with: $0.words) }) {
      var words = plain
      _ = try command(for: &words)
    }
    return helpTopic(plain)
  }

  private func helpTopic(_ plain: [String]) -> String? {
    if let command = commands.first(where: { plain.starts(with: $0.words) }) { return command.name }
    return plain.first.flatMap { group($0).isEmpty ? nil : $0 }
  }
}
