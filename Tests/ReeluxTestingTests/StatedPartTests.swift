import ReeluxCore
import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Parts that a closure states, in a test that does not check each change of the state.
@Suite(.conformance(109), .timeLimit(.minutes(15))) struct StatedPartTests {
  private struct Row: Equatable, Identifiable, Sendable {
    var id: Int
    var title = ""
  }

  /// The failures of a test that sends one action, which makes `real` of `initial`, and states `update`.
  private func failures<State: Sendable>(
    from initial: State, budget: InspectionBudget = .standard, _ real: @escaping @Sendable (inout State) -> Void,
    stated update: @escaping (inout State) throws -> Void
  ) async -> [String] {
    let store = TestStore(
      initialState: initial, reducer: Reducer<Int, State> { _, state in real(&state) },
      exhaustivity: .all.subtracting(.stateChanges))
    store.inspectionBudget = budget
    return await capturingFailures { await store.send(1, update) }.map(\.message)
  }

  private struct Page: Equatable, Sendable {
    var rows: [Int] = []
    var first = 0
    var total = 0
  }

  @Test(.conformance(108)) func aWrongPartBehindManyOtherChangesFails() async {
    let load: @Sendable (inout Page) -> Void = { page in
      page.rows = Array(0..<150)
      page.first = 1
      page.total = 150
    }
    let behindRows = await failures(from: Page(), load) { $0.total = 3 }
    #expect(behindRows.map { $0.hasSuffix("\n\n  total: expected 3, is 150") } == [true])
    let behindStatedPart = await failures(from: Page(), budget: InspectionBudget(changes: 1), load) {
      $0.first = 1
      $0.total = 3
    }
    #expect(behindStatedPart.map { $0.hasSuffix("\n\n  total: expected 3, is 150") } == [true])
    let unchanged = await failures(from: Page(), load) { $0.total = 0 }
    #expect(unchanged.map { $0.hasSuffix("\n\n  total: expected 0, is 150") } == [true])
  }

  @Test(.conformance(108)) func aWrongPartBehindMoreVisitsThanTheBudgetFails() async {
    struct Loose: Sendable { var value: Int }
    struct Shelf: Sendable {
      var rows = (0..<20).map { Loose(value: $0) }
      var total = 0
    }
    let wrong = await failures(from: Shelf(), budget: InspectionBudget(visits: 5)) { shelf in
      for index in shelf.rows.indices { shelf.rows[index].value += 1 }
      shelf.total = 20
    } stated: {
      $0.total = 3
    }
    #expect(wrong.map { $0.contains("\n\n  total: expected 3, is 20") } == [true])
  }

  @Test(.conformance(108)) func aWrongPartBelowTheDepthOfTheBudgetFails() async {
    struct Shelf: Sendable { var page = Page() }
    for budget in [InspectionBudget(depth: 0), InspectionBudget(depth: 1), InspectionBudget(changes: 0)] {
      let wrong = await failures(from: Shelf(), budget: budget) { _ in
      } stated: {
        $0.page.rows = [1]
      }
      #expect(wrong.count == 1)
    }
  }

  @Test(.conformance(108)) func theTextLengthOfTheBudgetDoesNotMixMembersOfASet() async {
    let right = await failures(from: Set<String>(), budget: InspectionBudget(textLength: 9)) {
      $0 = ["https://a.example/1", "https://a.example/2"]
    } stated: {
      $0.insert("https://a.example/1")
    }
    #expect(right == [])
    let wrong = await failures(from: Set<String>(), budget: InspectionBudget(textLength: 9)) {
      $0 = ["https://a.example/2"]
    } stated: {
      $0.insert("https://a.example/1")
    }
    #expect(wrong.count == 1)
  }

  @Test func theBudgetLimitsTheMessageAboutStatedParts() async {
    let zeros = [0, 0, 0, 0]
    let wrong = await failures(from: zeros, budget: InspectionBudget(changes: 2)) {
      $0 = [1, 1, 1, 1]
    } stated: {
      $0 = [2, 2, 2, 2]
    }
    #expect(
      wrong == [
        """
        The state after 1 is not the expected one:

          [0]: expected 2, is 1
          [1]: expected 2, is 1
          … (more than the inspection budget allows)
        """
      ])
  }

  @Test func manyStatedPartsAreComparedWithManyChanges() async {
    struct Shelf: Sendable {
      var old = [Int: Int]()
      var new = [Int: Int]()
    }
    let values = Dictionary(uniqueKeysWithValues: (0..<4_000).map { ($0, $0) })
    let right = await failures(from: Shelf()) {
      $0 = Shelf(old: values, new: values)
    } stated: {
      $0.new = values
    }
    #expect(right == [])
  }

  @Test func anExpectationInAClosureMayHoldOnlyBeforeTheAction() async {
    struct Profile: Equatable, Sendable {
      var user: String? = "ada"
      var title = ""
    }
    let right = await failures(from: Profile()) { profile in
      profile.title = profile.user ?? ""
      profile.user = nil
    } stated: {
      #expect($0.user == "ada")
      $0.title = try #require($0.user)
    }
    #expect(right == [])
  }

  private struct Sheet: Equatable, Sendable {
    var text = "draft"
    var pages = [1, 2, 3]
    var count = 0
  }
  private struct Form: Sendable {
    var sheet: Sheet? = Sheet()
    var rows = [Row(id: 1), Row(id: 2), Row(id: 3)]
    var page = Sheet()
  }

  @Test func aClosureMayRemoveElementsInsideOfAnOptional() async {
    let right = await failures(from: Form()) { form in
      form.sheet?.pages.removeLast()
      form.sheet?.text = "saved"
    } stated: {
      $0.sheet?.pages.remove(at: 2)
    }
    #expect(right == [])
  }

  @Test func aClosureMayRemoveAnElementOfAListWithIDs() async {
    let right = await failures(from: Form()) { form in
      form.rows.removeLast()
      form.rows[0].title = "new"
    } stated: {
      $0.rows.remove(at: 2)
    }
    #expect(right == [])
  }

  @Test func aCollectionThatAClosureSetsHasNoFurtherElements() async {
    let list = await failures(from: [6]) {
      $0 = [8, 6]
    } stated: {
      $0 = [8]
    }
    #expect(list.map { $0.hasSuffix("\n\n  [1]: unexpected 6") } == [true])
    let dictionary = await failures(from: ["a": 0]) {
      $0 = ["a": 1, "b": 2]
    } stated: {
      $0 = ["a": 1]
    }
    #expect(dictionary.map { $0.hasSuffix("\n\n  [b]: unexpected 2") } == [true])
    let rows = await failures(from: [Row(id: 1)]) {
      $0 = [Row(id: 1, title: "new"), Row(id: 2)]
    } stated: {
      $0 = [Row(id: 1, title: "new")]
    }
    #expect(rows.count == 1)
  }

  private struct Library: Equatable, Sendable {
    var rows: [Row] = []
    var tags: Set<String> = []
    var byName: [String: Int] = [:]
    var sheet: Sheet? = Sheet()
  }

  /// The action adds two elements to each collection.
  private static let load: @Sendable (inout Library) -> Void = { library in
    library.rows = [Row(id: 1), Row(id: 2)]
    library.tags = ["a", "b"]
    library.byName = ["a": 1, "b": 2]
    library.sheet?.pages.append(4)
    library.sheet?.text = "saved"
  }

  @Test func aCollectionThatIsSetToSomeOfTheAddedElementsFails() async {
    let rows = await failures(from: Library(), Self.load) { $0.rows = [Row(id: 1)] }
    #expect(rows.map { $0.hasSuffix("\n\n  rows[#2]: unexpected Row(id: 2, title: \"\")") } == [true])
    let tags = await failures(from: Library(), Self.load) { $0.tags = ["a"] }
    #expect(tags.map { $0.hasSuffix("\n\n  tags: unexpected \"b\"") } == [true])
    let byName = await failures(from: Library(), Self.load) { $0.byName = ["a": 1] }
    #expect(byName.map { $0.hasSuffix("\n\n  byName[b]: unexpected 2") } == [true])
  }

  @Test func aPartBesideAStatedAddedElementIsComparedWithItsOldValue() async {
    let wrong = await failures(from: Library(), Self.load) {
      $0.sheet?.pages.append(4)
      $0.sheet?.text = "draft"
    }
    #expect(wrong.map { $0.hasSuffix("\n\n  sheet.text: expected \"draft\", is \"saved\"") } == [true])
  }

  @Test func aClosureMayAddSomeOfTheAddedElements() async {
    let added = await failures(from: Library(), Self.load) {
      $0.rows.append(Row(id: 1))
      $0.tags.insert("a")
      $0.byName["a", default: 0] += 1
    }
    #expect(added == [])
    let inserted = await failures(from: [Row(id: 3)]) {
      $0 = [Row(id: 1), Row(id: 3), Row(id: 2)]
    } stated: {
      $0.insert(Row(id: 1), at: 0)
    }
    #expect(inserted == [])
  }

  @Test func aClosureThatChangesElementsDoesNotConcernAddedElements() async {
    let first = await failures(from: [6]) {
      $0 = [8, 6]
    } stated: {
      $0[0] = 8
    }
    #expect(first == [])
    let each = await failures(from: [Row(id: 1), Row(id: 2)]) { rows in
      rows = [Row(id: 1, title: "read"), Row(id: 2, title: "read"), Row(id: 3)]
    } stated: { rows in
      for index in rows.indices { rows[index].title = "read" }
    }
    #expect(each == [])
  }

  @Test func aPartBesideARemovedElementIsComparedWithItsOldValue() async {
    let wrong = await failures(from: Form()) { form in
      form.page.pages.removeLast()
      form.page.text = "saved"
    } stated: {
      $0.page.pages.remove(at: 2)
      $0.page.text = "draft"
    }
    #expect(wrong.map { $0.hasSuffix("\n\n  page.text: expected \"draft\", is \"saved\"") } == [true])
  }

  @Test func theStatedOrderOfAListWithIDsIsCompared() async {
    let (a, b, c) = (Row(id: 1), Row(id: 2), Row(id: 3))
    let wrong = await failures(from: [a, b, c]) {
      $0 = [b, c, a]
    } stated: {
      $0 = [c, a, b]
    }
    #expect(wrong.count == 1)
    let right = await failures(from: [a, b, c]) {
      $0 = [c, a, Row(id: 2, title: "new")]
    } stated: {
      $0 = [c, a, b]
    }
    #expect(right == [])
  }

  private struct Site: Equatable, Sendable {
    struct Page: Equatable, Identifiable, Sendable {
      var id: String
      var visits = 0
    }
    var pages: [String: Int] = [:]
    var list: [Page] = []
  }

  @Test func keysAndIDsThatDifferOnlyAtTheirEndsAreDifferentParts() async {
    let address = "https://example.com/" + String(repeating: "a", count: 80)
    let (first, second) = (address + "/1", address + "/2")
    let keys = await failures(from: Site()) {
      $0.pages = [first: 1, second: 2]
    } stated: {
      $0.pages[first] = 1
    }
    #expect(keys.isEmpty)
    let ids = await failures(from: Site(list: [.init(id: first), .init(id: second)])) {
      $0.list = [.init(id: first, visits: 1), .init(id: second, visits: 2)]
    } stated: {
      $0.list[0].visits = 1
    }
    #expect(ids.isEmpty)
  }
}
