import MoviesApp
import Testing

@Suite struct SearchTests {
  private func titles(_ words: String...) -> [String] {
    MovieSearch.movies(matching: words, in: Catalog.builtIn.movies).map(\.title)
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
      MovieSearch.movies(matching: ["kid"], in: movies.reversed()).map(\.title)
        == ["Kid", "Kid Galahad", "The Kid", "A Kidnapped Nokid"])
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
