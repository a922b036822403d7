@testable import MoviesApp
import Testing

/// Searches in languages that are not written with ASCII letters.
@Suite(.timeLimit(.minutes(15))) struct SearchLanguageTests {
  private func search(_ line: String, in titles: [String]) -> MovieSearch.Result {
    let movies = titles.map { Movie(id: $0, title: $0, year: nil, genres: []) }
    return MovieSearch(line.split(separator: " ").map(String.init)).result(in: Movies(movies))
  }

  @Test(
    arguments: [
      ("ゴジラ", ["ラジコン", "ゴジラ"], ["ゴジラ"]), ("コ\u{3099}シ\u{3099}ラ", ["ラジコン", "ゴジラ"], ["ゴジラ"]),
      ("カメラ", ["ガメラ", "カメラ"], ["カメラ"]), ("カ", ["ガメラ", "カメラ"], ["カメラ"]),
      ("क्रम", ["रम क", "क्रम"], ["क्रम"]), ("ด้าว", ["ดาว", "ด้าว"], ["ด้าว"]), ("ดาว", ["ดาว", "ด้าว"], ["ดาว"]),
      ("가", ["한강", "가족"], ["가족"]), ("한", ["한강", "가족"], ["한강"]),
      ("\u{1112}\u{1161}\u{11AB}강", ["한강", "가족"], ["한강"]), ("葛城", ["葛\u{E0100}城"], ["葛\u{E0100}城"]),
    ] as [(String, [String], [String])])
  func aMarkIsAPartOfItsWord(line: String, titles: [String], found: [String]) {
    #expect(search(line, in: titles).movies.map(\.title) == found)
    #expect(search(line, in: titles).corrections.isEmpty)
  }

  @Test(arguments: [("Ёлки", "елки"), ("Йод", "иод"), ("Άνθρωπος", "ανθρωπος"), ("Việt", "viet"), ("Ďábel", "dabel")])
  func accentsOfLatinGreekAndCyrillicLettersDoNotMatter(title: String, line: String) {
    #expect(search(line, in: [title]).movies.map(\.title) == [title])
    #expect(FoldedText(title) == FoldedText(line))
  }

  /// A text with an Arabic letter is folded as a whole.
  @Test func aLetterFoldsAloneAsItDoesInATextThatIsFoldedAsAWhole() {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x058F, 0x1E00...0x206F, 0x3000...0x3100, 0x4E00...0x4E20, 0x9FF0...0x9FFF, 0xAC00...0xAC40,
      0xD790...0xD7A3,
    ]
    let letters = ranges.joined().compactMap(Unicode.Scalar.init)
    for (place, letter) in letters.enumerated() {
      let neighbour = letters[(place * 7919 + 1) % letters.count]
      let text = "1\(letter)\(neighbour)\(letter)o"
      let number = String(letter.value, radix: 16)
      #expect(FoldedText(text + "ا").bytes == FoldedText(text).bytes + Array("ا".utf8), "U+\(number)")
    }
  }

  @Test(
    arguments: [
      ("ад", ["Сталинград", "Ад", "Адмирал"], ["Ад", "Адмирал"]), ("ид", ["Ад"], []),
      ("град", ["Сталинград"], ["Сталинград"]),
      ("강", ["한강"], []), ("千尋", ["千と千尋の神隠し"], ["千と千尋の神隠し"]), ("尋", ["千と千尋の神隠し"], ["千と千尋の神隠し"]),
    ] as [(String, [String], [String])])
  func aWordOfFewerThanThreeLettersFindsWordsThatBeginWithItInEveryAlphabet(
    line: String, titles: [String], found: [String]
  ) {
    #expect(search(line, in: titles).movies.map(\.title) == found)
    #expect(search(line, in: titles).corrections.isEmpty)
  }

  @Test(
    arguments: [
      ("левиафар", "Левиафан"), ("левифан", "Левиафан"), ("левиаафан", "Левиафан"), ("левиаавн", nil),
      ("леивафан", "Левиафан"), ("иван", "Идан"), ("мир", nil), ("ゴヅラだ", "ゴジラだ"),
    ] as [(String, String?)])
  func oneWrongLetterIsForgivenInEveryAlphabet(line: String, title: String?) {
    #expect(search(line, in: ["Левиафан", "Идан", "Мар", "ゴジラだ"]).movies.map(\.title) == (title.map { [$0] } ?? []))
  }

  @Test func aTitleThatDiffersInTwoLettersIsSuggestedInEveryAlphabet() {
    #expect(search("лефиафар", in: ["Левиафан"]).suggestions == ["Левиафан"])
    #expect(search("лефаофар", in: ["Левиафан"]).suggestions.isEmpty)
  }

  @Test func aCorrectionIsSpelledAsInTheTitle() {
    #expect(search("Κυνόδωντας", in: ["Ο Κυνόδοντας!"]).corrections == ["κυνοδωντασ": "Κυνόδοντας"])
    #expect(search("childz", in: ["A Child’s Play"]).corrections == ["childz": "Child’s"])
    // No part of the title is the word.
    #expect(search("annd jerry", in: ["Tom & Jerry"]).corrections == ["annd": "and"])
  }

  @Test func theCorrectionsAreThoseOfTheShownMovies() {
    let movies = Movies([
      Movie(id: "1", title: "The Wild", year: 1940, genres: []),
      Movie(id: "2", title: "The Bird", year: 1950, genres: []),
    ])
    for limit in [1, 2] {
      let result = MovieSearch(["wird", "1950"]).result(in: movies, limit: limit)
      #expect(result.movies.map(\.id) == Array(["2", "1"].prefix(limit)))
      #expect(result.corrections == ["wird": "Bird"])
    }
  }

  @Test func theYearCountsMoreThanAnyNumberOfCorrections() {
    let words = ["alpha", "bravo", "charlie", "delta", "foxtrot", "hotel", "india", "juliett", "kilometre", "november"]
    let typed = words.map { String($0.dropLast()) + "z" }
    let movies = Movies([
      Movie(id: "1", title: words.joined(separator: " "), year: 1950, genres: []),
      Movie(id: "2", title: (words.prefix(1) + typed.dropFirst()).joined(separator: " "), year: 1960, genres: []),
    ])
    #expect(MovieSearch(typed + ["1950"]).result(in: movies).movies.first?.id == "1")
  }
}
