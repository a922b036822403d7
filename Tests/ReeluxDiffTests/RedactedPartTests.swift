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
}
