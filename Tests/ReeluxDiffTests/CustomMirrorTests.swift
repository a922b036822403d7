import ReeluxDiff
import ReeluxTestSupport
import Testing

/// Ids in an order, with empty slots that users of the type cannot access.
private struct OrderedIDs: CustomReflectable {
  var slots: [String?] = []

  init(_ ids: [String?]) { slots = ids }

  var customMirror: Mirror {
    Mirror(self, unlabeledChildren: slots.compactMap { $0 }, displayStyle: .collection)
  }
}

private struct Favorites {
  var confirmed: OrderedIDs
}

/// A number that is shown as its description.
private struct Money: CustomReflectable, CustomStringConvertible {
  var cents: Int
  var description: String { "\(cents / 100) €" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

private struct Tags: CustomReflectable {
  var list: [String]
  var customMirror: Mirror { Mirror(self, unlabeledChildren: list, displayStyle: .set) }
}

private struct Prices: CustomReflectable {
  var list: [(String, Int)]
  var customMirror: Mirror {
    Mirror(self, unlabeledChildren: list, displayStyle: .dictionary)
  }
}

/// A measurement that shows only what is known of it.
private struct Reading: Equatable, CustomReflectable {
  var value: Int
  var unit: String?

  var customMirror: Mirror {
    var children: [Mirror.Child] = [("value", value)]
    if let unit { children.append(("unit", unit)) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

@Suite(.conformance(73, 107), .timeLimit(.minutes(15))) struct CustomMirrorTests {
  private func lines(_ old: Any, _ new: Any) -> [String] {
    ValueDifference(from: old, to: new).changes.map(\.description)
  }

  @Test func aTypeIsShownAndComparedAsTheListThatItsMirrorHas() {
    let old = Favorites(confirmed: OrderedIDs([nil, "metropolis-1927"]))
    let new = Favorites(confirmed: OrderedIDs(["metropolis-1927", nil, "m-1931"]))
    #expect(lines(old, new) == [#"confirmed[1]: + "m-1931""#])
    #expect(ValueText.describing(new) == #"Favorites(confirmed: ["metropolis-1927", "m-1931"])"#)
    #expect(lines(old, Favorites(confirmed: OrderedIDs(["metropolis-1927"]))).isEmpty)
  }

  @Test func aMirrorWithoutPartsShowsTheDescription() {
    #expect(ValueText.describing([Money(cents: 300)]) == "[3 €]")
    #expect(lines(Money(cents: 300), Money(cents: 400)) == ["3 € → 4 €"])
  }

  /// Actions that are shown as one text, so that a log contains no secret.
  private indirect enum Login: CustomReflectable, CustomStringConvertible {
    case password(String)
    case code(String)
    case both(Login, Login)
    case cancelled
    case timedOut
    var description: String { "login" }
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  private struct Event { var login: Login }

  @Test func partsThatAMirrorHidesAreCompared() {
    let logins: [Login] = [
      .password("a"), .password("b"), .code("a"), .cancelled, .timedOut, .both(.code("a"), .cancelled),
      .both(.code("b"), .cancelled), .both(.code("a"), .timedOut),
    ]
    for (index, login) in logins.enumerated() {
      for (otherIndex, other) in logins.enumerated() {
        let difference = ValueDifference(from: Event(login: login), to: Event(login: other))
        let lines = index == otherIndex ? [] : ["login: login → login (not equal)"]
        #expect(difference.changes.map(\.description) == lines, "\(index) \(otherIndex)")
        #expect(ValueDifference(from: [login], to: [other]).isEmpty == (index == otherIndex))
      }
    }
  }

  @Test func propertiesThatAMirrorHidesAreCompared() {
    final class Token: CustomReflectable, CustomStringConvertible {
      let secret: String
      init(_ secret: String) { self.secret = secret }
      var description: String { "token" }
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    #expect(lines(Money(cents: 300), Money(cents: 350)) == ["3 € → 3 € (not equal)"])
    #expect(lines(Money(cents: 300), Money(cents: 300)).isEmpty)
    #expect(lines(Token("a"), Token("b")) == ["token → token (not equal)"])
    #expect(lines(Token("a"), Token("a")).isEmpty)
  }

  @Test(arguments: [InspectionBudget(visits: 0), InspectionBudget(depth: 1)])
  func theBudgetDoesNotShowWhatAMirrorHides(budget: InspectionBudget) {
    let (old, new) = ([[Event(login: .both(.code("a"), .cancelled))]], [[Event(login: .both(.code("b"), .cancelled))]])
    let lines = ValueDifference(from: old, to: new, budget: budget).changes.map(\.description)
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.hasSuffix("login → login (not equal)") && !$0.contains("code") })
  }

  @Test func aPartThatAMirrorHidesCanBeDeep() {
    func nested(_ inner: Login) -> Login { (0..<20_000).reduce(inner) { login, _ in .both(.cancelled, login) } }
    let (old, same, new) = (nested(.code("a")), nested(.code("a")), nested(.code("b")))
    #expect(ValueDifference(from: old, to: same).isEmpty)
    #expect(lines(old, new) == ["login → login (not equal)"])
    // The release of a long chain of values takes much stack, so it is taken apart.
    for login in [old, same, new] {
      var rest = login
      while case .both(_, let next) = rest { rest = next }
    }
  }

  @Test func aPartThatIsShownOnlyOnOneSideIsAddedOrRemoved() {
    let (bare, whole) = (Reading(value: 1), Reading(value: 2, unit: "m"))
    #expect(lines(bare, whole) == ["value: 1 → 2", #"unit: + "m""#])
    #expect(lines(whole, bare) == ["value: 2 → 1", #"unit: - "m""#])
    #expect(ValueText.describing([bare, whole]) == #"[Reading(value: 1), Reading(value: 2, unit: "m")]"#)
  }

  @Test func aMirrorMayBeASetOrADictionary() {
    #expect(lines(Tags(list: ["a", "b"]), Tags(list: ["b", "c"])) == [#"- "a""#, #"+ "c""#])
    #expect(lines(Prices(list: [("a", 1)]), Prices(list: [("a", 2)])) == ["[a]: 1 → 2"])
    #expect(ValueText.describing(Prices(list: [("b", 1), ("a", 2)])) == #"["a": 2, "b": 1]"#)
  }

  /// The headers of a request, shown with a label for each.
  private struct Headers: CustomReflectable {
    var style = Mirror.DisplayStyle.struct
    var list: [String: String]
    var customMirror: Mirror { Mirror(self, children: list.map { ($0, $1) }, displayStyle: style) }
  }

  @Test(arguments: [Mirror.DisplayStyle.struct, .class, .enum])
  func aLabelOfAMirrorCannotForgeALine(style: Mirror.DisplayStyle) {
    let (old, new) = (
      Headers(style: style, list: ["a\n\u{1b}[2J": "1"]), Headers(style: style, list: ["a\n\u{1b}[2J": "2"])
    )
    let texts = [ValueText.describing(new), ValueText.caseName(of: new)] + lines(old, new)
    #expect(!texts.joined().unicodeScalars.contains { $0.value < 0x20 })
    #expect(lines(old, new) == [#"a\n\u{1b}[2J: "1" → "2""#])
  }

  @Test func genericArgumentsAndAbsentPartsAreLeftOut() {
    struct Box<Value> {
      var value: Value
      var note: String?
    }
    enum Event { case opened(Box<Int>, by: String?) }
    #expect(ValueText.describing(Event.opened(Box(value: 1), by: nil)) == ".opened(Box(value: 1))")
    #expect(ValueText.describing(Box<Int?>(value: nil, note: "a")) == #"Box(note: "a")"#)
    #expect(ValueText.describing((Int?.none, 2)) == "(nil, 2)")
    #expect(lines(Box(value: 1), Box(value: 1, note: "a")) == [#"note: nil → "a""#])
  }

  @Test func aRedactedPartIsShownAlsoIfItIsNil() {
    struct Account { var token: String? }
    enum Event { case signedIn(Account), renewed(token: String?) }
    let events: [Event] = [.signedIn(Account()), .signedIn(Account(token: "a")), .renewed(token: nil)]
    #expect(
      ValueText.describing(events, hiding: ["token"])
        == "[.signedIn(Account(token: <redacted>)), .signedIn(Account(token: <redacted>)), .renewed(token: <redacted>)]"
    )
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func membersHaveOneOrderAlsoIfOnlySomeAreWholeNumbers(order: [Int]) {
    struct Bag: CustomReflectable {
      var members: [Any]
      var customMirror: Mirror { Mirror(self, unlabeledChildren: members, displayStyle: .set) }
    }
    let members: [Any] = [2, 10, 1.5]
    #expect(ValueText.describing(Bag(members: order.map { members[$0] })) == "[2, 10, 1.5]")
  }

  @Test(.conformance(108)) func membersThatAreNotHashableAreComparedInTheirOrder() {
    struct Loose { var value: Int }
    struct Bag: CustomReflectable {
      var items: [Loose]
      var customMirror: Mirror { Mirror(self, unlabeledChildren: items, displayStyle: .set) }
    }
    let (one, two) = (Bag(items: [Loose(value: 1)]), Bag(items: [Loose(value: 2)]))
    #expect(lines(one, two) == ["[0].value: 1 → 2"])
    #expect(lines(one, one) == [])
    #expect(!ValueDifference(from: one, to: two, budget: InspectionBudget(visits: 0)).isEmpty)
    #expect(ValueDifference(from: one, to: one, budget: InspectionBudget(visits: 0)).isEmpty)
  }
}
