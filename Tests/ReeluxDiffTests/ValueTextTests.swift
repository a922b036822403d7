import ReeluxDiff
import Testing

private enum AppAction {
  case favorites(FavoriteAction)
  case login(user: String, password: String)
  case quit
}

private enum FavoriteAction {
  case toggle(String)
  case loaded(Set<String>, revision: Int)
}

private struct Account {
  var name: String
  var token: String
  var headers: [String: String] = [:]
}

@Suite(.timeLimit(.minutes(15))) struct ValueTextTests {
  @Test func nestedCasesReadAsTheyAreWritten() {
    #expect(ValueText.describing(AppAction.favorites(.toggle("m"))) == #".favorites(.toggle("m"))"#)
    #expect(
      ValueText.describing(AppAction.favorites(.loaded(["b", "a"], revision: 2)))
        == #".favorites(.loaded(["a", "b"], revision: 2))"#)
    #expect(ValueText.describing(AppAction.quit) == ".quit")
  }

  @Test func caseNamesAreThePathOfCases() {
    #expect(ValueText.caseName(of: AppAction.favorites(.toggle("m"))) == "favorites.toggle")
    #expect(ValueText.caseName(of: AppAction.login(user: "a", password: "b")) == "login")
    #expect(ValueText.caseName(of: AppAction.quit) == "quit")
    #expect(ValueText.caseName(of: Account(name: "", token: "")) == "Account")
  }

  @Test func stringsAreQuotedAndControlCharactersEscaped() {
    #expect(ValueText.describing("a\"b\\\n\u{1b}[31m\u{202e}é") == #""a\"b\\\n\u{1b}[31m\u{202e}é""#)
  }

  @Test func longTextsAndCollectionsAreCut() {
    let text = ValueText.describing(String(repeating: "é", count: 500), budget: InspectionBudget(textLength: 10))
    #expect(text == "\"ééééééééé…")
    #expect(
      ValueText.describing(Array(0..<10), budget: InspectionBudget(elements: 3)) == "[0, 1, 2, … 7 more]")
    #expect(ValueText.describing(Set(0..<5_000)) == "[… 5000 elements]")
  }

  @Test func optionalsReadAsTheirValue() {
    #expect(ValueText.describing(Int??.some(.some(3)) as Any) == "3")
    #expect(ValueText.describing(Int?.none as Any) == "nil")
  }

  @Test func libraryValuesReadAsTheirDescription() {
    #expect(ValueText.describing((1..<4, Duration.seconds(2), 2.5)) == "(1..<4, 2.0 seconds, 2.5)")
  }

  @Test func hiddenFieldsAreRedactedAtAnyDepth() {
    let action = AppAction.login(user: "ada", password: "secret")
    #expect(
      ValueText.describing(action, hiding: ["password"]) == #".login(user: "ada", password: <redacted>)"#)
    let accounts = ["ada": Account(name: "Ada", token: "t", headers: ["Authorization": "x", "Accept": "y"])]
    #expect(
      ValueText.describing(accounts, hiding: ["*.token", "Authorization"])
        == #"["ada": Account(name: "Ada", token: <redacted>, headers: ["Accept": "y", "Authorization": <redacted>])]"#)
  }

  @Test func theOnlyPayloadOfACaseIsRedactedByTheNameOfTheCase() {
    let action = AppAction.favorites(.toggle("m"))
    for pattern: ValuePathPattern in ["toggle", "favorites.toggle", "**.toggle"] {
      #expect(ValueText.describing(action, hiding: [pattern]) == ".favorites(.toggle(<redacted>))")
    }
    #expect(ValueText.describing(action, hiding: ["**.toggle.0"]) == #".favorites(.toggle("m"))"#)
  }

  @Test func hiddenChangesAreReportedWithoutTheirValues() {
    let (old, new) = (Account(name: "a", token: "one"), Account(name: "b", token: "two"))
    let difference = ValueDifference(from: old, to: new, hiding: ["token"])
    #expect(
      difference.changes.map(\.description) == [#"name: "a" → "b""#, "token: <redacted> → <redacted>"])
    #expect(ValueDifference(from: old, to: old, hiding: ["token"]).isEmpty)
  }

  @Test func hiddenPartsOfAddedElementsAreRedacted() {
    let difference = ValueDifference(from: [Account](), to: [Account(name: "a", token: "one")], hiding: ["token"])
    #expect(
      difference.description == #"[0]: + Account(name: "a", token: <redacted>, headers: [])"#)
  }

  @Test func hiddenSetsDoNotTellTheirElements() {
    struct Keys { var secrets: Set<String> }
    let difference = ValueDifference(from: Keys(secrets: ["a"]), to: Keys(secrets: ["b"]), hiding: ["secrets"])
    #expect(difference.description == "secrets: <redacted> → <redacted>")
  }
}

@Suite(.timeLimit(.minutes(15))) struct ValuePathPatternTests {
  private let path = ValuePath([.field("accounts"), .key("ada"), .field("token"), .index(2)])

  @Test(arguments: [
    "token", "accounts", "accounts.ada.token", "accounts.*.token", "**.token", "accounts.**.2", "*.ada",
  ])
  func matches(pattern: String) {
    #expect(ValuePathPattern(pattern).matches(path))
  }

  @Test(arguments: ["Token", "tok", "accounts.token", "*.token", "accounts.*.*.*.*", "", "ada.token"])
  func doesNotMatch(pattern: String) {
    #expect(!ValuePathPattern(pattern).matches(path))
  }

  @Test func aPathReadsAsItWouldBeWritten() {
    #expect(path.description == "accounts[ada].token[2]")
    #expect(path.isWithin(ValuePath([.field("accounts")])))
    #expect(!path.isWithin(ValuePath([.field("token")])))
    #expect(ValuePath.root.description.isEmpty)
  }
}
