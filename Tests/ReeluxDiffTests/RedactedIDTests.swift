import ReeluxDiff
import ReeluxTestSupport
import Testing

/// An account whose id is its address.
private struct Account: Hashable, Identifiable {
  var email: String
  var age = 30
  var id: String { email }
}

private struct Bank {
  var accounts: [Account]
}

private struct Contact: Hashable {
  var email: String
}

private struct Person: Hashable, Identifiable {
  var contact: Contact
  var age = 30
  var id: String { contact.email }
}

private struct Row: Hashable, Identifiable {
  var id: Int
  var token: String
}

private struct Secret: Hashable {
  var text: String
}

private struct Key: Hashable {
  var secret: Secret
}

private struct Sealed: Identifiable {
  var id: Key
  var age = 30
}

/// A type whose parts have other labels in another state.
private struct Field: CustomReflectable {
  var label: String
  var value: String
  var customMirror: Mirror { Mirror(self, children: [label: value, "size": 1], displayStyle: .struct) }
}

/// A type whose parts have no fixed order.
private struct Shuffled: CustomReflectable {
  var parts: KeyValuePairs<String, Any>
  var customMirror: Mirror { Mirror(self, children: parts, displayStyle: .struct) }
}

@Suite(.conformance(74), .timeLimit(.minutes(15))) struct RedactedIDTests {
  private func lines(_ old: Any, _ new: Any, hiding hidden: ValuePathPattern...) -> [String] {
    ValueDifference(from: old, to: new, hiding: hidden).changes.map(\.description)
  }

  private func bank(_ accounts: Account...) -> Bank { Bank(accounts: accounts) }

  private let ada = Account(email: "ada")
  private let bob = Account(email: "bob")
  private let eve = Account(email: "eve")

  @Test func theIDOfARedactedElementIsNotShown() {
    let old = bank(ada, bob)
    #expect(
      lines(old, bank(Account(email: "ada", age: 31), eve), hiding: "accounts.*")
        == [
          "accounts[1]: - <redacted>", "accounts[0]: <redacted> → <redacted>", "accounts[1]: + <redacted>",
        ])
    #expect(lines(old, bank(bob, ada), hiding: "accounts.*") == ["accounts[0]: moved [1] → [0]"])
  }

  @Test(arguments: ["email", "id", "accounts.*.email", "**.id"] as [ValuePathPattern])
  func anIDThatIsARedactedPartIsNotShown(hidden: ValuePathPattern) {
    let text = lines(bank(ada, bob), bank(Account(email: "ada", age: 31), eve), hiding: hidden)
    #expect(text.contains("accounts[0].age: 30 → 31"))
    if hidden != "id", hidden != "**.id" { #expect(!text.description.contains("bob")) }
    #expect(!text.description.contains("#"))
  }

  @Test func anIDInsideARedactedPartIsNotShown() {
    let old = [Person(contact: Contact(email: "ada"))]
    let new = [Person(contact: Contact(email: "ada"), age: 31)]
    #expect(lines(old, new, hiding: "contact") == ["[0].age: 30 → 31"])
  }

  @Test func anIDThatContainsARedactedTypeIsNotShown() {
    let inspector = ValueInspector(types: [Secret.self])
    let id = Key(secret: Secret(text: "hunter2"))
    let difference = inspector.difference(from: [Sealed(id: id)], to: [Sealed(id: id, age: 31)])
    #expect(difference.description == "[0].age: 30 → 31")
  }

  @Test func otherIDsAreShown() {
    let old = [Row(id: 7, token: "a"), Row(id: 8, token: "b")]
    let new = [Row(id: 8, token: "c"), Row(id: 7, token: "a")]
    #expect(lines(old, new, hiding: "token") == ["[#8]: moved [1] → [0]", "[#8].token: <redacted> → <redacted>"])
  }

  @Test func aKeyThatContainsARedactedTypeIsNotShown() {
    struct Loose { var value: Int }
    let key = Key(secret: Secret(text: "hunter2"))
    for budget in [InspectionBudget.standard, InspectionBudget(visits: 0)] {
      let difference = ValueInspector(budget: budget, types: [Secret.self])
        .difference(from: [key: Loose(value: 1)], to: [key: Loose(value: 2)])
      #expect(difference.changes.map(\.description) == ["[Key(secret: <redacted>)].value: 1 → 2"])
    }
  }

  @Test func aRedactedPartIsNotComparedWithAPartOfAnotherName() {
    let (secret, hint) = (Field(label: "password", value: "hunter2"), Field(label: "hint", value: "a hunter"))
    for budget in [InspectionBudget.standard, InspectionBudget(visits: 0)] {
      for (old, new) in [(secret, hint), (hint, secret)] {
        let difference = ValueDifference(from: old, to: new, budget: budget, hiding: ["password"])
        #expect(!difference.isEmpty)
        #expect(!difference.description.contains("hunter2"))
        #expect(difference.description.contains("a hunter"))
      }
    }
  }

  @Test func partsInAnotherOrderAreComparedByName() {
    let old = Shuffled(parts: ["a": 1, "b": 2])
    for budget in [InspectionBudget.standard, InspectionBudget(visits: 0)] {
      #expect(ValueDifference(from: old, to: Shuffled(parts: ["b": 2, "a": 1]), budget: budget).isEmpty)
      #expect(
        ValueDifference(from: old, to: Shuffled(parts: ["b": 3, "a": 1]), budget: budget).changes.map(\.description)
          == ["b: 2 → 3"])
    }
  }

  private indirect enum Chain {
    case end
    case link(Chain)
  }
  private struct Document: Identifiable {
    var id = 1
    var chain: Chain
    var number = 0
  }

  @Test(.conformance(73, 74)) func anElementThatIsTooDeepOrTooLargeToSearchIsNamedByItsPosition() {
    let deep = (0..<10_000).reduce(Chain.end) { chain, _ in .link(chain) }
    let documents = [Document(chain: deep), Document(chain: deep, number: 1)]
    let budget = InspectionBudget(visits: 100)
    let difference = ValueDifference(from: [documents[0]], to: [documents[1]], budget: budget, hiding: ["token"])
    #expect(difference.changes.first?.path.components.first == .index(0))
    struct Book: Identifiable {
      var id: Int
      var pages: [Int]
    }
    let books = [10, 20_000].map { count in (1...2).map { Book(id: $0, pages: Array(0..<count)) } }
    #expect(lines([books[0][0]], [books[0][1]], hiding: "token").first?.hasPrefix("[#1]: - ") == true)
    #expect(lines([books[1][0]], [books[1][1]], hiding: "token").first?.hasPrefix("[0]: - ") == true)
  }

  @Test(
    arguments: [
      "Token", "headers.Token", "headers.Token.value", "*.Token.value", "0", "headers.0", "headers.0.value",
    ] as [ValuePathPattern])
  func anElementIsRedactedByItsIDAndByItsPositionInTextsAndChanges(hidden: ValuePathPattern) {
    struct Header: Identifiable {
      var id: String
      var value: String
    }
    struct Request { var headers: [Header] }
    func request(_ value: String) -> Request {
      Request(headers: [Header(id: "Token", value: value), Header(id: "Accept", value: "text")])
    }
    let text = ValueText.describing(request("hunter1"), hiding: [hidden])
    #expect(text.contains("redacted") && text.contains("Accept") && !text.contains("hunter"))
    for budget in [InspectionBudget.standard, InspectionBudget(visits: 0), InspectionBudget(depth: 0)] {
      for new in [request("hunter2"), Request(headers: [])] {
        let change = ValueDifference(from: request("hunter1"), to: new, budget: budget, hiding: [hidden])
        #expect(!change.isEmpty && !change.description.contains("hunter"))
      }
    }
  }

  @Test func anIDThatAPatternWithAPositionRedactsIsNotShown() {
    struct Session: Identifiable { var id: String, age = 0 }
    struct User: Identifiable { var id: String, sessions: [Session] }
    let (old, new) = (
      [User(id: "ada", sessions: [Session(id: "hunter")])], [User(id: "ada", sessions: [Session(id: "hunter", age: 1)])]
    )
    #expect(lines(old, new, hiding: "0.sessions.*.id") == ["[#ada].sessions[0].age: 0 → 1"])
  }
}
