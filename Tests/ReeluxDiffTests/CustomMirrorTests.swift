import ReeluxDiff
import ReeluxTestSupport
import Testing

/// Ids in an order, with empty slots that users of the type do not see.
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

/// A number that is shown by its description.
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

@Suite(.conformance(73, 107), .timeLimit(.minutes(10))) struct CustomMirrorTests {
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

  @Test func aMirrorMayBeASetOrADictionary() {
    #expect(lines(Tags(list: ["a", "b"]), Tags(list: ["b", "c"])) == [#"- "a""#, #"+ "c""#])
    #expect(lines(Prices(list: [("a", 1)]), Prices(list: [("a", 2)])) == ["[a]: 1 → 2"])
    #expect(ValueText.describing(Prices(list: [("b", 1), ("a", 2)])) == #"["a": 2, "b": 1]"#)
  }
}
