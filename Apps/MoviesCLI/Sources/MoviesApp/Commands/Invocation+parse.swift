extension Invocation {
  /// Reads the values of a parsed command line.
  ///
  /// - Parameter settings: Values from outside the command line, already checked.
  package init(
    _ parsed: ParsedArguments, command: CommandDescription, settings: Settings? = nil
  ) throws(UsageError) {
    var parsed = parsed
    if let settings { parsed.options.merge(settings.options) { flag, _ in flag } }
    let reader = OptionReader(parsed: parsed, command: command.name)
    let options = try Self.options(reader)
    if command.name == "settings", let settings {
      self.init(command: .settings(settings), json: parsed.has("--json"), options: options)
    } else {
      self.init(command: try Self.command(command.name, reader), json: parsed.has("--json"), options: options)
    }
  }

  private static func command(_ name: String, _ reader: OptionReader) throws(UsageError) -> Command {
    let arguments = reader.parsed.arguments
    let first = arguments.first ?? ""
    switch name {
    case "list": return .list(try filter(reader))
    case "search": return .search(arguments, limit: try reader.count("--limit"))
    case "show": return .show(first)
    case "favorite list": return .favoriteList
    case "track": return .track(file: arguments.first, speed: try reader.speed("--speed"))
    case "nearby": return .nearby(at: try reader.place("--at"), radius: try reader.metres("--radius") ?? 1000)
    case "completions":
      guard let shell = Shell(rawValue: first) else {
        throw reader.error("wants one of \(Prose.list(Shell.allCases.map(\.rawValue), "or")), not '\(first)'")
      }
      return .completions(shell)
    case "run": return .script(first)
    case "man": return .manualPage
    case "replay":
      return .replay(
        ReplayRequest(
          file: first, to: try reader.count("--to"), step: reader.parsed.has("--step"),
          skip: try reader.numbers("--skip")))
    case "report":
      guard let output = reader.text("--output") else { throw reader.error("wants --output OUT.html") }
      return .report(file: first, output: output)
    default:
      guard let change = FavoriteChange.allCases.first(where: { name == "favorite \($0)" }) else { return .demo }
      return .favorite(change, arguments)
    }
  }

  private static func filter(_ reader: OptionReader) throws(UsageError) -> MovieFilter {
    var filter = MovieFilter()
    filter.genre = reader.text("--genre")
    (filter.firstYear, filter.lastYear) = try reader.years("--year")
    filter.favoritesOnly = reader.parsed.has("--favorites")
    filter.order = reader.text("--sort").flatMap(MovieFilter.Order.init)
    filter.limit = try reader.count("--limit")
    return filter
  }

  private static func options(_ reader: OptionReader) throws(UsageError) -> GlobalOptions {
    var options = GlobalOptions()
    options.catalog = reader.text("--catalog")
    options.dataDirectory = reader.text("--data-dir")
    options.log = reader.text("--log").flatMap(GlobalOptions.Log.init)
    options.logFile = reader.text("--log-file")
    options.latency = try reader.duration("--latency") ?? .zero
    options.failureRate = try reader.probability("--failure-rate") ?? 0
    options.seed = try reader.seed("--seed")
    options.color = reader.text("--color").flatMap(GlobalOptions.Color.init) ?? .auto
    options.quiet = reader.parsed.has("--quiet")
    options.record = reader.text("--record")
    return options
  }
}
