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

  @Test(arguments: [InspectionBudget.standard, InspectionBudget(textLength: 5), InspectionBudget(depth: 0)])
  func theNameOfACaseDoesNotDependOnTheBudget(budget: InspectionBudget) {
    let action = AppAction.favorites(.toggle("m"))
    #expect(ValueInspector(budget: budget).nameAndText(of: action).name == "favorites.toggle")
    let redacting = [
      ValueInspector(budget: budget, hiding: ["favorites"]),
      ValueInspector(budget: budget, types: [FavoriteAction.self]),
    ]
    for inspector in redacting { #expect(inspector.nameAndText(of: action).name == "favorites") }
    #expect(ValueInspector(budget: budget, types: [AppAction.self]).nameAndText(of: action).name == "AppAction")
  }

  @Test func stringsAreQuotedAndControlCharactersEscaped() {
    #expect(ValueText.describing("a\"b\\\n\u{1b}[31m\u{202e}é") == #""a\"b\\\n\u{1b}[31m\u{202e}é""#)
  }

  @Test func invisibleCharactersAreEscaped() {
    #expect(
      ValueText.describing("a\u{180e}\u{200b}\u{2062}\u{206a}\u{3164}\u{feff}\u{fffa}")
        == #""a\u{180e}\u{200b}\u{2062}\u{206a}\u{3164}\u{feff}\u{fffa}""#)
    // The joiner of an emoji and the tags of a flag are parts of one character.
    #expect(ValueText.describing("👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿") == "\"👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿\"")
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

private protocol Figure {}

private struct Circle: Figure {
  var radius: Int
  var name = "a name that is too long for the inline form of a string"
}

private enum Line: Figure { case dotted, wide(Int) }

private final class Canvas {}

/// A struct with properties of every kind.
private struct Drawing<Number> {
  var first: any Figure
  var second: (any Figure)?
  var third: Any
  var flag = true
  let empty: Void = ()
  var number: Number
  var pair: (UInt8, label: Number)
  lazy var lazily = 3
  var make: () -> Int = { 1 }
  var key: AnyHashable = Circle.Key(id: 7)
  var later: Number?
}

extension Circle {
  fileprivate struct Key: Hashable { var id: Int16 }
}

private struct Reference {
  weak var canvas: Canvas?
  unowned var owner: Canvas
  var count = 1
}

@Suite(.timeLimit(.minutes(15))) struct StoredPropertyTests {
  @Test func propertiesOfEveryKindAreShown() {
    let drawing = Drawing(
      first: Circle(radius: 1), second: Line.wide(2), third: [Circle(radius: 3) as any Figure, Line.dotted],
      number: 1.5, pair: (4, label: 2.5))
    let name = #"name: "a name that is too long for the inline form of a string""#
    #expect(
      ValueText.describing(drawing, budget: InspectionBudget(textLength: 1_000))
        == "Drawing(first: Circle(radius: 1, \(name)), second: .wide(2), third: [Circle(radius: 3, \(name)), .dotted], "
        + "flag: true, empty: (), number: 1.5, pair: (4, label: 2.5), make: (Function), key: Key(id: 7))")
  }

  @Test func aStructInsideAnotherExistentialValueIsComparedByItsParts() {
    let figures: [any Figure] = [Circle(radius: 1), Circle(radius: 2)]
    let drawings = figures.map { Drawing(first: $0, third: $0 as Any, number: 0, pair: (0, label: 0)) }
    #expect(
      ValueDifference(from: drawings[0], to: drawings[1]).changes.map(\.description)
        == ["first.radius: 1 → 2", "third.radius: 1 → 2"])
  }

  @Test func theContentOfEachErasedValueIsCompared() {
    let old: [AnyHashable] = [[1, 2] as Set, 1.5, Double.nan, "a", Circle.Key(id: 1)]
    let new: [AnyHashable] = [[2, 3] as Set, 2.5, Double.nan, "b", Circle.Key(id: 2)]
    let names = ["a", "b", "c", "d", "e"]
    let difference = ValueDifference(
      from: Dictionary(uniqueKeysWithValues: zip(names, old)), to: Dictionary(uniqueKeysWithValues: zip(names, new)))
    #expect(
      difference.changes.map(\.description)
        == ["[a]: - 1", "[a]: + 3", "[b]: 1.5 → 2.5", "[d]: a → b", "[e].id: 1 → 2"])
  }

  @Test func anOptionalThatContainsASetIsNotASet() {
    struct Choice { var values: Set<Int>? }
    let choices = [Choice(values: [1]), Choice(values: [2]), Choice()]
    #expect(ValueDifference(from: choices[0], to: choices[1]).description == "values: - 1\nvalues: + 2")
    #expect(ValueDifference(from: choices[1], to: choices[2]).description == "values: [2] → nil")
  }

  @Test func weakAndUnownedPropertiesAreShown() {
    let canvas = Canvas()
    #expect(
      ValueText.describing(Reference(canvas: canvas, owner: canvas))
        == "Reference(canvas: Canvas(), owner: Canvas(), count: 1)")
    #expect(ValueText.describing(Reference(canvas: nil, owner: canvas)) == "Reference(owner: Canvas(), count: 1)")
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

  @Test(arguments: [
    (ValuePath.Component.field("_token"), "token", true), (.field("_token"), "_token", true),
    (.field("_token"), "other", false), (.key("_token"), "token", false), (.key(".on"), "on", true),
    (.key(".on"), "off", false), (.field(".on"), "on", false),
  ])
  func aNameLeavesOutAnUnderscoreOfAPropertyAndTheDotOfACase(
    component: ValuePath.Component, pattern: String, matches: Bool
  ) {
    #expect(ValuePathPattern(pattern).matches(ValuePath([component])) == matches)
  }

  @Test(arguments: [
    ("com.app.token", true), ("settings.com.app.token", true), ("settings.com.app.token.text", true),
    ("*.com.app.token", true), ("settings.com.app", false), ("settings.com.app.tokens", false), ("app.token", false),
    ("settings.com.app.token.other", false),
  ])
  func aNameWithDotsIsOneStep(pattern: String, matches: Bool) {
    let path = ValuePath([.field("settings"), .key("com.app.token"), .field("text")])
    #expect(ValuePathPattern(pattern).matches(path) == matches)
  }

  @Test(arguments: [
    ("a.b.c", ["a"], true), ("a.b.c", ["a", "b"], true), ("*.b.c", ["a"], true), ("a.b.c", ["b"], false),
    ("a.b.c", ["a", "x"], false), ("**.c", ["a"], false), ("a.b.**", ["a"], false), ("c", ["a"], false),
    ("a.b", ["a", "x", "b"], false),
  ])
  func aPatternMeetsTheBeginningsOfItsPath(pattern: String, fields: [String], meets: Bool) {
    #expect(ValuePathPattern(pattern).meets(ValuePath(fields.map { .field($0) })) == meets)
  }

  @Test func aPathReadsAsItWouldBeWritten() {
    #expect(path.description == "accounts[ada].token[2]")
    #expect(ValuePath.root.description.isEmpty)
  }
}
