import ReeluxDiff
import ReeluxTestSupport
import Testing

@Suite(.conformance(74), .timeLimit(.minutes(15))) struct RedactedPartTests {
  private struct Account {
    var name = "a"
    var token = "t0p"
  }
  private struct Bank { var accounts = [Account()] }

  /// A value whose `==` compares more than its mirror shows.
  private struct Versioned: Equatable, CustomReflectable {
    var version: Int
    var customMirror: Mirror { Mirror(self, children: ["accounts": [Account()]], displayStyle: .struct) }
    static func == (left: Self, right: Self) -> Bool { left.version == right.version }
  }

  @Test func aPartOfAnElementIsRedactedHoweverManyElementsAreShown() {
    let text = ValueText.describing(Bank(), budget: InspectionBudget(elements: .max), hiding: ["accounts.*.token"])
    #expect(text == #"Bank(accounts: [Account(name: "a", token: <redacted>)])"#)
    let difference = ValueDifference(
      from: Versioned(version: 1), to: Versioned(version: 2), hiding: ["accounts.*.token"])
    #expect(difference.description.contains("<redacted>"))
    #expect(!difference.description.contains("t0p"))
  }

  /// A value whose parts have no labels.
  private struct Pair: CustomReflectable {
    var left = "a"
    var right = "t0p"
    var customMirror: Mirror { Mirror(self, unlabeledChildren: [left, right], displayStyle: .struct) }
  }

  @Test func aPartWithoutALabelIsRedactedByItsNumberInTextsAndChanges() {
    #expect(ValueText.describing(Pair(), hiding: ["1"]) == #"Pair("a", <redacted>)"#)
    let added = ValueDifference(from: [Pair](), to: [Pair()], hiding: ["*.1"])
    #expect(added.description == #"[0]: + Pair("a", <redacted>)"#)
    let changed = ValueDifference(from: Pair(), to: Pair(right: "other"), hiding: ["1"])
    #expect(changed.description == "1: <redacted> → <redacted>")
  }

  @propertyWrapper private struct Clamped { var wrappedValue: String }
  private struct Login {
    @Clamped var password = "one"
    lazy var token = "t0p"
    var user = "ada"
  }

  @Test(arguments: ["password", "*.password", "**.password"] as [ValuePathPattern])
  func aWrappedPropertyIsRedactedByItsName(hidden: ValuePathPattern) {
    let difference = ValueDifference(
      from: [Login()], to: [Login(password: "two", user: "eve")], hiding: [hidden])
    #expect(!difference.description.contains("one") && !difference.description.contains("two"))
    #expect(difference.description.contains(#"user: "ada" → "eve""#))
    #expect(hidden.matches(ValuePath([.index(0), .field("_password"), .field("wrappedValue")])))
    #expect(hidden.meets(ValuePath([.index(0), .field("_password")])))
    #expect(!hidden.matches(ValuePath([.index(0), .key("_password")])))
  }

  @Test func aLazyPropertyIsRedactedByItsName() {
    var login = Login()
    _ = login.token
    #expect(ValueText.describing(login, hiding: ["token"]).contains("token: <redacted>"))
    #expect(ValueDifference(from: Login(), to: login).description == #"token: nil → "t0p""#)
  }

  @Test func aRedactedPartOfAKeyIsNotShownBehindTheBudget() {
    struct Key: Hashable { var secret: String }
    struct Loose { var value: Int }
    struct Vault { var entries: [Key: Loose] }
    func vault(_ value: Int) -> Vault { Vault(entries: [Key(secret: "hunter2"): Loose(value: value)]) }
    for budget in [InspectionBudget.standard, InspectionBudget(visits: 0)] {
      for hidden in ["secret", "entries.secret"] as [ValuePathPattern] {
        let difference = ValueDifference(from: vault(1), to: vault(2), budget: budget, hiding: [hidden])
        #expect(difference.changes.map(\.description) == ["entries[Key(secret: <redacted>)].value: 1 → 2"])
      }
    }
  }

  private struct Settings { var values: [String: String] }

  @Test(arguments: ["com.app.token", "values.com.app.token", "*.com.app.token", "**.com.app.token", "values.*"])
  func aKeyWithDotsIsRedactedByItsName(pattern: String) {
    let hidden = ValuePathPattern(pattern)
    let settings = Settings(values: ["com.app.token": "hunter2"])
    #expect(!ValueText.describing(settings, hiding: [hidden]).contains("hunter2"))
    let difference = ValueDifference(
      from: settings, to: Settings(values: ["com.app.token": "hunter3"]), hiding: [hidden])
    #expect(difference.description == "values[com.app.token]: <redacted> → <redacted>")
    #expect(hidden.meets(ValuePath([.field("values"), .key("com.app.token")])))
  }

  @Test func aPatternDoesNotMatchAKeyThatContainsMoreNames() {
    for pattern: ValuePathPattern in ["com.app", "app.token", "com.app.tokens", "com.*.token"] {
      #expect(!pattern.matches(ValuePath([.key("com.app.token")])))
    }
    #expect(ValuePathPattern("values.com.app.token").meets(ValuePath([.field("values")])))
    #expect(ValuePathPattern("com.app.token.name").meets(ValuePath([.key("com.app.token")])))
    #expect(!ValuePathPattern("com.app.token.name").meets(ValuePath([.key("com.other")])))
  }

  @Test func aLongKeyOrIDIsRedactedByItsName() {
    struct Page: Identifiable {
      var id: String
      var text: String
    }
    let name = String(repeating: "a", count: 300)
    let other = name + "b"
    let hidden = [ValuePathPattern(name)]
    let keys = ValueText.describing(
      [name: "hunter2", other: "visible"], budget: InspectionBudget(textLength: 2_000), hiding: hidden)
    #expect(!keys.contains("hunter2") && keys.contains("visible"))
    let ids = ValueDifference(
      from: [Page(id: name, text: "a"), Page(id: other, text: "b")],
      to: [Page(id: name, text: "hunter2"), Page(id: other, text: "visible")], hiding: hidden)
    #expect(!ids.description.contains("hunter2") && ids.description.contains("visible"))
  }

  @Test func aLongNameIsCutOnlyInTheTextOfAPath() {
    let name = String(repeating: "a", count: 81)
    let path = ValueDifference(from: [name: 1], to: [name: 2]).changes.map(\.path)
    #expect(path == [ValuePath([.key(name)])])
    #expect(path.map(\.description) == ["[\(name.dropLast())…]"])
    #expect(ValuePath([.key("a\nb")]).description == #"[a\nb]"#)
  }

  private enum Service { case mail, maps }

  @Test(arguments: ["mail", ".mail"] as [ValuePathPattern])
  func aKeyThatIsACaseIsRedactedByItsName(hidden: ValuePathPattern) {
    let text = ValueText.describing([Service.mail: "hunter2", .maps: "visible"], hiding: [hidden])
    #expect(text == #"[.mail: <redacted>, .maps: "visible"]"#)
  }
}
