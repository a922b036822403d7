import MoviesApp

/// Generates valid command lines from the descriptions of the commands, and damages some of their words.
enum CommandMaker {
  /// Valid values, by the name of the option or of the argument's command.
  private static let values: [String: [String]] = [
    "--catalog": ["movies.csv", "titles.tsv", "movies.json"],
    "--data-dir": ["data", "other"],
    "--log-file": ["log.txt", "data.txt"],
    "--record": ["new.jsonl", "again.jsonl"],
    "--latency": ["0ms", "1ms", "0.0s"],
    "--failure-rate": ["0", "0.5", "1", ".25"],
    "--seed": ["0", "7", "18446744073709551615"],
    "--genre": ["Drama", "horror,mystery", "sci-fi", "Opera"],
    "--year": ["1927", "1920..1929", "..1910", "1925.."],
    "--limit": ["1", "3", "60", "9223372036854775807"],
    "--speed": ["max"],
    "--batch": ["1", "7", "64"],
    "--at": ["52.39,13.11", "-90,180", "0,0", "52.3906, 13.1200"],
    "--radius": ["1", "500", "20004000"],
    "--to": ["1", "5", "12"],
    "--skip": ["3", "2,5", "1..4,9"],
    "--as-test": ["1..3", "2..12"],
    "--output": ["out.html", "-"],
    "show": movies, "favorite add": movies, "favorite remove": movies, "favorite toggle": movies,
    "search": ["caligari", "haxan", "1927", "the", "cabinett", "Metropolis", "é"],
    "track": ["walk.gpx", "walk.nmea"], "replay": ["run.jsonl"], "report": ["run.jsonl"], "watch": ["run.jsonl"],
    "run": ["tour.movies"], "completions": ["bash", "zsh", "fish"],
  ]

  private static let movies = ["metropolis-1927", "faust-1926", "haxan-1922", "nope", "1", "tt0000001", "m1"]

  private static let flags: Set<String> = ["--json", "--favorites", "--step", "--once", "--force", "--quiet"]

  /// Two options that exclude each other; in place of the first, the name of a command that excludes the second.
  private static let exclusions: [(String, String)] =
    [("--json", "--format"), ("--without", "--record"), ("run", "--record"), ("report", "--open")]
    + ["--to", "--step", "--skip", "--json"].map { ("--as-test", $0) }
    + Command.all.filter { !$0.description.sendsActions }.flatMap { command in
      ["--record", "--log-file", "--log"].map { (command.description.name, $0) }
    }

  /// `browse` needs a terminal; the keys have a format of their own.
  private static let commands = Command.all.map(\.description).filter { $0.name != "browse" }

  /// The texts that damage inserts.
  static let dictionary =
    values.keys.sorted().flatMap { values[$0] ?? [] } + Command.all.flatMap { $0.description.words }
    + commands.flatMap { $0.options.map(\.name) } + CommandLineDescription.movies.globalOptions.map(\.name)
    + ["-", "--", "-h", "--help", "--version", "--no-such", "=", "\u{1B}[2J", "\u{202E}", "é", "missing", "log.txt"]

  /// A valid command line.
  static func words(_ random: inout FuzzRandom) -> [String] {
    let command = random.pick(commands)
    var words = command.words
    if let argument = command.argument {
      let most = min(argument.count.upperBound, 3)
      var choices = values[command.name] ?? ["x"]
      for _ in 0..<(argument.count.lowerBound + random.below(most - argument.count.lowerBound + 1))
      where !choices.isEmpty {
        words.append(choices.remove(at: random.below(choices.count)))
      }
    }
    // An option without a listed value is only inserted as damage.
    var options = (command.options + CommandLineDescription.movies.globalOptions).filter { option in
      option.value == nil ? flags.contains(option.name) : !option.choices.isEmpty || values[option.name] != nil
    }
    var used: Set<String> = [command.name]
    for _ in 0..<random.below(4) where !options.isEmpty {
      let option = options.remove(at: random.below(options.count))
      let isExcluded = exclusions.contains { one, other in
        used.contains(one) && option.name == other || used.contains(other) && option.name == one
      }
      if isExcluded { continue }
      used.insert(option.name)
      let chosen = text(for: option, &random)
      // Options may precede the command.
      words.insert(contentsOf: chosen, at: random.once(in: 8) ? 0 : words.count)
    }
    return words
  }

  private static func text(for option: OptionDescription, _ random: inout FuzzRandom) -> [String] {
    guard option.value != nil else { return [option.name] }
    let value = random.pick(option.choices.isEmpty ? values[option.name] ?? ["x"] : option.choices)
    return random.once(in: 2) ? [option.name, value] : ["\(option.name)=\(value)"]
  }

  /// The options whose values are not checked before the command runs.
  private static let freeOptions: Set<String> = [
    "--catalog", "--data-dir", "--log-file", "--record", "--output", "--genre",
  ]

  /// Changes, adds, removes or moves one or two words. Most changes keep the line valid for the parser, so that a
  /// command runs.
  static func damaged(_ words: [String], _ random: inout FuzzRandom) -> [String] {
    var words = words
    for _ in 0..<(random.once(in: 3) ? 2 : 1) where !words.isEmpty {
      let place = random.below(words.count)
      switch random.below(12) {
      case 0: words.insert(random.pick(dictionary), at: place)
      case 1: words.remove(at: place)
      case 2: words.swapAt(place, random.below(words.count))
      case 3: words.append(words[place])
      case 4: words[place] = damaged(words[place], &random)
      default:
        let places = freePlaces(of: words)
        if places.isEmpty { continue }
        let place = random.pick(places)
        let parts = words[place].split(separator: "=", maxSplits: 1).map(String.init)
        if words[place].hasPrefix("--"), parts.count == 2 {
          words[place] = "\(parts[0])=\(damaged(parts[1], &random))"
        } else {
          let word = damaged(words[place], &random)
          words[place] = word.isEmpty || word.hasPrefix("-") ? "x" + word : word
        }
      }
    }
    return words
  }

  private static func damaged(_ word: String, _ random: inout FuzzRandom) -> String {
    let bytes = Mutation.mutate(Array(word.utf8), dictionary: dictionary + Mutation.numbers, &random)
    return String(decoding: bytes, as: UTF8.self).replacing("\n", with: " ")
  }

  /// The places of arguments, and of values that are not checked before the command runs.
  private static func freePlaces(of words: [String]) -> [Int] {
    let command = commands.first { command in words.indices.contains { words[$0...].starts(with: command.words) } }
    let names = Set(command?.words ?? [])
    return words.indices.filter { place in
      let word = words[place]
      if word.hasPrefix("--") { return freeOptions.contains(String(word.prefix { $0 != "=" })) && word.contains("=") }
      let previous = place > 0 ? words[place - 1] : ""
      if previous.hasPrefix("--"), !previous.contains("=") { return freeOptions.contains(previous) }
      return !names.contains(word) && command?.name != "completions"
    }
  }

  /// The text of an input, changed so that it names no file outside the sandbox and starts no browser.
  static func harmless(_ text: String) -> String {
    text.replacing("/", with: "_").replacing("--open", with: "--once")
  }
}
