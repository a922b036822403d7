import ReeluxLocation
import ReeluxLocationSimulation
@testable import MoviesApp
import Testing

@Suite(.timeLimit(.minutes(15))) struct ArgumentTests {
  private func parse(_ line: String) throws(UsageError) -> CommandLineRequest {
    try CommandLineDescription.movies.parse(line.split(separator: " ").map(String.init))
  }

  /// The command and its arguments, after all values have been read once.
  private func command(_ line: String) throws(UsageError) -> (name: String, arguments: Arguments) {
    guard case .run(let description, let arguments) = try parse(line) else { throw UsageError("no command") }
    _ = try GlobalOptions(arguments)
    _ = try Command.named(description.name)?.read(arguments)
    return (description.name, arguments)
  }

  private func failure(_ line: String) -> String {
    do {
      _ = try command(line)
      return "no error"
    } catch {
      return error.message
    }
  }

  private static let skips = "numbers of actions or ranges of them, such as 3,5,8..10"
  private static let years = "a year of one to four digits or a range, such as 1927, 1920..1929 or 1920.."
  private static let metres = "metres above 0 and up to 20004000, such as 500 or 1500"

  @Test func nothingMeansTheDemo() throws {
    #expect(try command("").name == "demo")
    #expect(try GlobalOptions(command("--seed 3").arguments).seed == 3)
  }

  @Test(arguments: ["--limit 3 list", "list --limit 3", "list --limit=3", "--seed 1 list --limit 9 --limit 3"])
  func optionsStandBeforeOrAfterTheCommandWithBlankOrEqualsSign(line: String) throws {
    var filter = MovieFilter()
    filter.limit = 3
    #expect(try MovieFilter(command(line).arguments) == filter)
  }

  @Test func everythingAfterTwoDashesIsAnArgument() throws {
    #expect(try command("search -- --json -h").arguments.words == ["--json", "-h"])
    #expect(try command("search --json -- -x").arguments.has("--json"))
  }

  @Test(
    arguments: [
      ("--help", nil), ("-h", nil), ("list -h", "list"), ("-h list", "list"), ("favorite add --help", "favorite add"),
      ("favorite -h", "favorite"), ("help track", "track"), ("help", nil), ("list --limit --help", "list"),
      ("--nonsense -h", nil), ("help help", nil), ("help favorite", "favorite"), ("list extra -h", "list"),
    ] as [(String, String?)])
  func helpIsFoundAnywhere(line: String, topic: String?) throws {
    #expect(try parse(line) == .help(topic))
  }

  @Test func versionIsFoundAnywhere() throws {
    #expect(try parse("--version") == .version)
    #expect(try parse("list --version") == .version)
    #expect(try parse("version") == .version)
  }

  @Test(arguments: [
    ("lst", "unknown command 'lst'. Did you mean 'list'?"),
    ("xyzzy", "unknown command 'xyzzy'"),
    ("favorite ad x", "unknown command 'ad'. Did you mean 'add'?"),
    ("favorite", "'favorite' needs one of add, remove, toggle or list"),
    ("list --jsn", "unknown option '--jsn'. Did you mean '--json'?"),
    ("list -x", "unknown option '-x'"),
    ("show a --limit 3", "'show' has no option --limit; use it with 'list' or 'search'"),
    ("fav add x", "unknown command 'fav'. Did you mean 'favorite'?"),
    ("favorite toggle a b a", "'favorite toggle' names 'a' twice"),
    ("list --json --format csv", "--json and --format csv cannot be used together"),
    ("list --genre ,", "--genre needs a genre, not ','"),
    ("list --limit 0", "--limit needs a whole number from 1, not '0'"),
    ("list extra", "'list' takes no argument 'extra'"),
    ("show", "'show' needs ID"),
    ("search", "'search' needs TEXT..."),
    ("list --limit", "--limit needs a value: --limit N"),
    ("list --limit --json", "--limit needs a value: --limit N"),
    ("list --genre=", "--genre needs a value: --genre G"),
    ("list --json=yes", "--json takes no value"),
    ("list --limit -1", "--limit needs a whole number from 1, not '-1'"),
    ("list --limit 99999999999999999999", "--limit 99999999999999999999 is too large"),
    ("list --sort titel", "--sort is one of title or year, not 'titel'. Did you mean 'title'?"),
    ("list --year 1930..1920", "--year 1930..1920 is reversed; write 1920..1930"),
    ("nonsense -h", "unknown command 'nonsense'"),
    ("lst --help", "unknown command 'lst'. Did you mean 'list'?"),
    ("help lst", "unknown command 'lst'. Did you mean 'list'?"),
    ("help nope", "unknown command 'nope'"),
    ("favorite ad --help", "unknown command 'ad'. Did you mean 'add'?"),
    ("help favorite ad", "unknown command 'ad'. Did you mean 'add'?"),
    ("list --year ..", "--year needs \(Self.years), not '..'"),
    ("list --year 19999", "--year needs \(Self.years), not '19999'"),
    (
      "list --latency 5", "--latency needs a duration with its unit, such as 300ms, 1.5s or 1m, up to 10m, not '5'"
    ),
    ("list --failure-rate 1.5", "--failure-rate needs a number from 0 to 1, not '1.5'"),
    ("list --failure-rate nan", "--failure-rate needs a number from 0 to 1, not 'nan'"),
    ("list --seed -1", "--seed needs a whole number from 0 to 18446744073709551615, not '-1'"),
    ("list --seed +1", "--seed needs a whole number from 0 to 18446744073709551615, not '+1'"),
    ("list --color blue", "--color is one of auto, always or never, not 'blue'"),
    ("nearby --at 91,0", "--at: the latitude 91 is not from -90 to 90"),
    ("nearby --at 0,181", "--at: the longitude 181 is not from -180 to 180"),
    ("nearby --at 52", "--at needs LATITUDE,LONGITUDE in degrees, such as 52.39,13.12, not '52'"),
    ("nearby --radius 0", "--radius needs \(Self.metres), not '0'"),
    ("nearby --radius 1e9", "--radius needs \(Self.metres), not '1e9'"),
    ("nearby --radius 20004001", "--radius needs \(Self.metres), not '20004001'"),
    ("track --speed 0", "--speed needs a factor above 0, such as 1 or 60, or max, not '0'"),
    ("track --batch 0", "--batch needs a whole number from 1, not '0'"),
    ("track a b", "'track' takes no argument 'b'"),
    ("run x --record y", "'run' cannot record; add --record to a command in the script"),
    ("replay x --skip 1,5..3", "--skip 5..3 is reversed; write 3..5"),
    ("replay x --as-test 3..1", "--as-test 3..1 is reversed; write 1..3"),
    ("replay x --skip 1..9223372036854775807", "--skip needs \(Self.skips), not '1..9223372036854775807'"),
    ("replay x --skip 1,,2", "--skip needs \(Self.skips), not '1,,2'"),
  ])
  func wrongUsageSaysWhatIsWantedAndSuggests(line: String, message: String) {
    #expect(failure(line) == message)
  }

  @Test(
    arguments: [
      ("1927", 1927, 1927), ("1920..1929", 1920, 1929), ("1990-1999", 1990, 1999), ("1990–1999", 1990, 1999),
      ("1920..", 1920, nil), ("..1929", nil, 1929),
    ] as [(String, Int?, Int?)])
  func yearsAreAYearOrARange(text: String, first: Int?, last: Int?) throws {
    var filter = MovieFilter()
    filter.firstYear = first
    filter.lastYear = last
    #expect(try MovieFilter(command("list --year \(text)").arguments) == filter)
  }

  @Test(arguments: [
    ("0ms", 0), ("300ms", 300), ("1.5s", 1500), (".5s", 500), ("2.s", 2000), ("60s", 60_000), ("1m", 60_000),
  ])
  func durationsAreReadInMillisecondsAndSeconds(text: String, milliseconds: Int) throws {
    #expect(try GlobalOptions(command("list --latency \(text)").arguments).latency == .milliseconds(milliseconds))
  }

  @Test func aLatencyOfZeroIsNotAMissingOne() throws {
    let zero: Duration? = try GlobalOptions(command("browse --latency 0ms").arguments).latency
    let missing: Duration? = try GlobalOptions(command("browse").arguments).latency
    #expect(zero == .zero)
    #expect(missing == nil)
  }

  @Test(arguments: ["1e3s", "s", "ms", "-1s", "601s", "11m", "1h", "5", "0x1s", "infs", "1..5s"])
  func otherDurationsAreRefused(text: String) {
    #expect(failure("list --latency \(text)").hasPrefix("--latency needs a duration"))
  }

  @Test(arguments: ["--genre horror --genre drama", "--genre horror,drama", "--genre=horror --genre drama,"])
  func severalGenresAreTakenTogether(options: String) throws {
    let genres = try MovieFilter(command("list " + options).arguments).genres
    #expect(genres.flatMap(MovieFilter.names) == ["horror", "drama"])
  }

  @Test func skippedActionsAreNumbersAndRanges() throws {
    #expect(try command("replay x --skip 3..5,9").arguments.skippedActions() == [3, 4, 5, 9])
  }

  @Test func severalSkipsAreTakenTogether() throws {
    #expect(try command("replay x --skip 3 --skip 5,7..8").arguments.skippedActions() == [3, 5, 7, 8])
    #expect(failure("replay x --skip x --skip 5") == "--skip needs \(Self.skips), not 'x'")
  }

  @Test func negativeNumbersAreValues() throws {
    let place = try #require(Coordinate(latitude: -33.9, longitude: -151.2))
    let arguments = try command("nearby --at -33.9,-151.2").arguments
    #expect(try Coordinate(at: arguments) == place)
  }

  @Test func anOptionTakesAValueInEveryCommandOrInNone() {
    let description = CommandLineDescription.movies
    var takesValue: [String: Bool] = [:]
    for option in description.globalOptions + description.commands.flatMap(\.options) {
      #expect(
        takesValue.updateValue(option.value != nil, forKey: option.name) ?? (option.value != nil)
          == (option.value != nil))
    }
  }

  @Test func everyExampleOfTheHelpParses() throws {
    let description = CommandLineDescription.movies
    for example in description.examples + description.commands.flatMap(\.examples) {
      let words = example.prefix { $0 != ">" }
      #expect(throws: Never.self) { try command(String(words)) }
    }
  }

  @Test func helpBeginsWithAnExampleAndNamesEverything() {
    let description = CommandLineDescription.movies
    let help = description.help()
    #expect(help.hasPrefix("MoviesCLI: movies, favourites and a walk to the cinema, on one store.\n\nExamples:\n"))
    for command in description.commands {
      #expect(help.contains(command.name))
      let own = description.help(command.name)
      for option in command.options { #expect(own.contains(option.name)) }
    }
    for option in description.globalOptions { #expect(help.contains(option.name)) }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(description.help("favorite").contains("favorite toggle ID..."))
  }

  @Test func theDefaultLatencyOfTheHelpIsAValue() throws {
    let option = try #require(GlobalOptions.descriptions.first { $0.name == "--latency" })
    let start = try #require(option.summary.firstRange(of: "default: ")).upperBound
    let latency = option.summary[start...].prefix { $0 != "," }
    _ = try command("list --latency \(latency)")
  }
}
