@testable import MoviesApp
import Testing

@Suite(.timeLimit(.minutes(15))) struct SearchTests {
  private func titles(_ words: String...) -> [String] {
    MovieSearch(words).result(in: Catalog.builtIn.movies).movies.map(\.title)
  }

  @Test(arguments: [
    ("HÄXAN", "haxan"), ("Straße", "STRASSE"), ("Cœur", "coeur"), ("Æon", "aeon"), ("Łódź", "lodz"), ("ｆｕｌｌ", "full"),
    ("child’s", "child's"), ("ﬁn", "fin"), ("İstanbul", "istanbul"), ("ΟΔΟΣ", "οδος"), ("Napole\u{301}on", "Napoléon"),
  ])
  func textFoldsAlike(one: String, other: String) {
    #expect(FoldedText(one) == FoldedText(other))
  }

  @Test func caseAndDiacriticsDoNotMatter() {
    #expect(titles("HAXAN") == ["Häxan"])
    #expect(titles("napoleon") == ["Napoléon"])
    #expect(titles("fantômas") == ["Fantômas"])
  }

  @Test func everyWordMustMatch() {
    #expect(titles("caligari", "cabinet") == ["The Cabinet of Dr. Caligari"])
    #expect(titles("dr caligari") == ["The Cabinet of Dr. Caligari"])
    #expect(titles("metropolis", "caligari").isEmpty)
    #expect(titles("  ").isEmpty)
  }

  @Test func betterMatchesComeFirst() {
    let movies = ["A Kidnapped Nokid", "The Kid", "Kid Galahad", "Kid"].map {
      Movie(id: $0, title: $0, year: nil, genres: [])
    }
    #expect(
      MovieSearch(["kid"]).result(in: Movies(movies.reversed())).movies.map(\.title)
        == ["Kid", "The Kid", "Kid Galahad", "A Kidnapped Nokid"])
  }

  @Test func anAmpersandIsTheWordAnd() {
    let movies = ["Tom & Jerry", "Fire and Ice"].map { Movie(id: $0, title: $0, year: nil, genres: []) }
    #expect(MovieSearch(["and"]).result(in: Movies(movies)).movies.map(\.title) == ["Tom & Jerry", "Fire and Ice"])
  }

  @Test(arguments: [
    ("l'ours", ["Ours, L'"]), ("L’Ours", ["Ours, L'"]), ("ours", ["Ours, L'", "Three Colours: Blue"]),
    ("l'avventura", ["L'Avventura", "Avventura, L'"]), ("lavventura", ["L'Avventura"]), ("o'hara", ["O'Hara"]),
  ])
  func anElidedArticleIsAWord(line: String, found: [String]) {
    let titles = ["Three Colours: Blue", "Ours, L'", "L'Avventura", "Avventura, L'", "O'Hara"]
    let movies = Movies(titles.map { Movie(id: $0, title: $0, year: nil, genres: []) })
    let result = MovieSearch([line]).result(in: movies)
    #expect(result.movies.map(\.title).starts(with: found))
    #expect(result.corrections.isEmpty)
  }

  @Test func aQueryOfArticlesFindsTheTitlesThatContainThem() {
    let movies = ["Les Vampires", "Le Voyage", "The Leopard"].map { Movie(id: $0, title: $0, year: nil, genres: []) }
    #expect(MovieSearch(["le"]).result(in: Movies(movies)).movies.map(\.title) == ["Le Voyage"])
    #expect(MovieSearch(["il"]).result(in: Movies(movies)).movies.isEmpty)
  }

  private static let known = [
    ("WALL·E", 2008), ("Spider-Man", 2002), ("Toy Story", 1995), ("Toy Story 2", 1999), ("Matrix, The", 1999),
    ("Fast & Furious", 2009), ("Child's Play", 1988), ("2001: A Space Odyssey", 1968), ("Blade Runner 2049", 2017),
    ("Metropolis", 2001), ("Metropolis", 1927), ("Häxan", 1922), ("8½", 1963),
  ].map { Movie(id: "\($0.0) (\($0.1))", title: $0.0, year: $0.1, genres: []) }

  private func search(_ line: String) -> MovieSearch.Result {
    MovieSearch(line.split(separator: " ").map(String.init)).result(in: Movies(Self.known))
  }

  @Test(arguments: [
    ("wall-e", "WALL·E (2008)"), ("walle", "WALL·E (2008)"), ("spiderman", "Spider-Man (2002)"),
    ("spider man", "Spider-Man (2002)"), ("toy story (1995)", "Toy Story (1995)"),
    ("toy story 1999", "Toy Story 2 (1999)"),
    ("the matrix", "Matrix, The (1999)"), ("Matrix, The", "Matrix, The (1999)"), ("matrix", "Matrix, The (1999)"),
    ("fast and furious", "Fast & Furious (2009)"), ("childs play", "Child's Play (1988)"),
    ("2001 a space odyssey", "2001: A Space Odyssey (1968)"), ("space odyssey 1968", "2001: A Space Odyssey (1968)"),
    ("blade runner 2049", "Blade Runner 2049 (2017)"), ("metropolis 1927", "Metropolis (1927)"),
    ("metropolis (2001)", "Metropolis (2001)"), ("haxan", "Häxan (1922)"),
    ("8 1/2", "8½ (1963)"), ("8½", "8½ (1963)"),
  ])
  func peoplesSpellingFindsTheMovieFirst(line: String, id: String) {
    let result = search(line)
    #expect(result.movies.first?.id == id)
    #expect(result.corrections.isEmpty)
  }

  @Test(arguments: [
    ("metroplis", "Metropolis (2001)", ["metroplis": "Metropolis"]),
    ("toy stroy", "Toy Story (1995)", ["stroy": "Story"]),
    ("spidermn", "Spider-Man (2002)", ["spidermn": "Spider-Man"]),
    ("blaade runner", "Blade Runner 2049 (2017)", ["blaade": "Blade"]),
  ])
  func oneTypingMistakeIsForgivenAndSaid(line: String, id: String, corrections: [String: String]) {
    #expect(search(line).movies.first?.id == id)
    #expect(search(line).corrections == corrections)
  }

  @Test(arguments: [
    ("$", ["$ 1971", "$ 2001", "$9.99 2008"]), ("$ (2001)", ["$ 2001", "$ 1971", "$9.99 2008"]),
    ("$ 2001", ["$ 2001", "$ 1971", "$9.99 2008"]), ("!!!", ["Ready!!! 1999"]), ("？", ["? 2011"]), ("…", []),
    ("(2001) !", ["2001 1968"]),
  ])
  func aQueryOfSymbolsFindsTitlesThatContainThem(line: String, found: [String]) {
    let movies = [("Ready!!!", 1999), ("$9.99", 2008), ("$", 1971), ("$", 2001), ("?", 2011), ("2001", 1968)].map {
      Movie(id: "\($0.0) \($0.1)", title: $0.0, year: $0.1, genres: [])
    }
    #expect(MovieSearch([line]).result(in: Movies(movies)).movies.map(\.id) == found)
  }

  @Test func titlesAreSuggestedWhenNothingIsFound() {
    #expect(search("metrupolos").suggestions == ["Metropolis (2001)", "Metropolis (1927)"])
    #expect(search("toy soldiers").suggestions.first == "Toy Story (1995)")
    #expect(search("zzzzzz").suggestions.isEmpty)
    #expect(search("zzzzzz").movies.isEmpty)
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abc", "abd", true), ("abc", "acb", true), ("abc", "ab", true), ("abc", "xabc", true),
    ("abc", "bca", false), ("abc", "a", false), ("", "", true), ("", "a", true), ("abcd", "abdce", false),
    ("ab", "ba", true), ("aab", "ab", true), ("ад", "ид", true), ("ад", "да", true), ("адт", "тад", false),
    ("ад", "a", false), ("а", "aд", false), ("а", "ад", true), ("千a", "a千", true), ("a千b", "ab", true), ("千", "", true),
    ("千", "a", true), ("千a", "a", true), ("千尋", "", false), ("да", "de", false), ("дар", "дe", false),
  ])
  func oneEditIsTheDistanceOfOne(one: String, other: String, isClose: Bool) {
    let (first, second) = (Array(one.utf8), Array(other.utf8))
    #expect(EditDistance.isAtMostOne(first[...], second[...]) == isClose)
    #expect((EditDistance.between(first, second, limit: 1) != nil) == isClose)
  }

  @Test(
    arguments: [
      ("metroplis", "metropolis-1927"), ("metropolis", "metropolis-1927"), ("Nosferatu-1923", "nosferatu-1922"),
      ("the-cabinet", "the-cabinet-of-dr-caligari-1920"), ("haexan", "haxan-1922"), ("zzzzzz", nil), ("", nil),
    ] as [(String, String?)])
  func unknownIDSuggestsTheMovieThatWasMeant(word: String, id: String?) {
    #expect(MovieSearch.suggestion(for: word, in: Catalog.builtIn.movies) == id)
  }

  @Test func unknownWordSuggestsTheClosest() {
    #expect(Suggestion.closest(to: "lst", among: ["search", "list", "show"]) == "list")
    #expect(Suggestion.closest(to: "serach", among: ["search", "list", "show"]) == "search")
    #expect(Suggestion.closest(to: "xyzzy", among: ["search", "list", "show"]) == nil)
  }
}
