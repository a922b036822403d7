import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Optionals that a closure states, in a test that does not check each change of the state.
@Suite(.conformance(109), .timeLimit(.minutes(15))) struct StatedOptionalTests {
  struct Pair: Equatable, Sendable {
    var a = 0
    var b: Int?
  }
  enum Phase: Equatable, Sendable {
    case loaded(String?)
    case named(title: String?, page: Int)
  }
  struct Sheet: Sendable {
    var text = "draft"
    var pages: [Int] = [1]
  }
  struct Form: Sendable {
    var problem: String?
    var pair = Pair()
    var other: Pair?
    var phase = Phase.loaded(nil)
    var sheet: Sheet?
    var rows: [Int] = []
    var saved = ""
    var count = 0
  }
  struct Refusal: Error {}

  /// The failures of a test that sends one action, which makes `real` of `initial` and counts, and states `update`.
  private func failures(
    _ real: @escaping @Sendable (inout Form) -> Void, from initial: Form = Form(),
    _ update: @escaping (inout Form) throws -> Void
  ) async -> [String] {
    let store = TestStore(
      initialState: initial,
      reducer: Reducer<Int, Form> { _, state in
        real(&state)
        state.count += 1
      }, exhaustivity: .all.subtracting(.stateChanges))
    return await capturingFailures { await store.send(1, update) }
      .compactMap { $0.message.split(separator: "\n").last.map { $0.drop { $0 == " " } }.map(String.init) }
  }

  private static func form(_ change: (inout Form) -> Void) -> Form {
    var form = Form()
    change(&form)
    return form
  }

  @Test func nilThatBecameAValueFails() async {
    #expect(await failures({ $0.problem = "x" }) { $0.problem = nil } == [#"problem: expected nil, is "x""#])
    #expect(
      await failures({ $0.problem = "x" }) {
        $0.count = 1
        $0.problem = nil
      } == [#"problem: expected nil, is "x""#])
    let part = await failures({ $0.other = Pair(a: 1) }) { $0.other = nil }
    #expect(part == ["other: expected nil, is Pair(a: 1)"])
  }

  @Test func aValueThatBecameNilFails() async {
    let initial = Self.form { $0.problem = "y" }
    #expect(
      await failures({ $0.problem = nil }, from: initial) { $0.problem = "y" } == [#"problem: expected "y", is nil"#])
    #expect(
      await failures({ $0.problem = "z" }, from: initial) { $0.problem = "y" } == [#"problem: expected "y", is "z""#])
  }

  @Test func anOptionalInsideOfAStatedPartIsCompared() async {
    #expect(await failures({ $0.pair.b = 1 }) { $0.pair.b = nil } == ["pair.b: expected nil, is 1"])
    #expect(await failures({ $0.pair.b = 1 }) { $0.pair = Pair() } == ["pair.b: expected nil, is 1"])
    let initial = Self.form { $0.other = Pair(b: 2) }
    #expect(
      await failures({ $0.other?.b = nil }, from: initial) { $0.other?.b = 2 } == ["other.b: expected 2, is nil"])
  }

  @Test func thePayloadOfACaseIsCompared() async {
    #expect(
      await failures({ $0.phase = .loaded("x") }) { $0.phase = .loaded(nil) }
        == [#"phase.loaded: expected nil, is "x""#])
    let initial = Self.form { $0.phase = .named(title: "M", page: 1) }
    #expect(
      await failures({ $0.phase = .named(title: nil, page: 1) }, from: initial) {
        $0.phase = .named(title: "M", page: 1)
      } == [#"phase.named.title: expected "M", is nil"#])
  }

  @Test func anOptionalThatIsNotStatedIsNotCompared() async {
    #expect(await failures({ $0.problem = "x" }) { $0.count = 1 } == [])
    let initial = Self.form { $0.problem = "y" }
    #expect(await failures({ $0.problem = nil }, from: initial) { $0.count += 1 } == [])
    #expect(await failures({ $0.problem = "x" }) { $0.problem = "x" } == [])
    #expect(await failures({ $0.problem = nil }, from: initial) { $0.problem = nil } == [])
  }

  @Test func aClosureMayReadAnOptionalThatItSetsToNil() async {
    let initial = Self.form { $0.sheet = Sheet() }
    let close: @Sendable (inout Form) -> Void = {
      $0.saved = $0.sheet?.text ?? ""
      $0.sheet = nil
    }
    // The optional is nil after the action, and the closure needs its value.
    let stated: (inout Form) throws -> Void = {
      $0.saved = try Self.value($0.sheet).text
      $0.sheet = nil
    }
    #expect(await failures(close, from: initial, stated) == [])
    let alsoProblem: @Sendable (inout Form) -> Void = {
      close(&$0)
      $0.problem = "x"
    }
    #expect(
      await failures(alsoProblem, from: initial) {
        try stated(&$0)
        $0.problem = nil
      } == [#"problem: expected nil, is "x""#])
  }

  @Test func aStatementIsComparedBesideOneThatNeedsAnOptional() async {
    let initial = Self.form { $0.sheet = Sheet() }
    let last = await failures({ $0.sheet = nil }, from: initial) {
      var sheet = try Self.value($0.sheet)
      sheet.text = "other"
      $0.sheet = sheet
      $0.count = 0
    }
    #expect(last == ["count: expected 0, is 1"])
  }

  @Test func aClosureThatThrowsWithoutAnOptionalIsJudgedByItsStatements() async {
    let initial = Self.form { $0.sheet = Sheet() }
    #expect(
      await failures({ $0.sheet = nil }, from: initial) { $0.count += try Self.value($0.sheet).pages.count } == [])
  }

  private static func value<Value>(_ optional: Value?) throws -> Value {
    guard let value = optional else { throw Refusal() }
    return value
  }

  @Test func aCollectionThatHasGotElementsIsComparedWithItsOldValue() async {
    #expect(await failures({ $0.rows = [1] }) { $0.rows = [] } == ["rows[0]: unexpected 1"])
  }

  @Test func aCollectionThatHasLostElementsMayBeStatedAsUnchanged() async {
    let initial = Self.form { $0.rows = [1] }
    #expect(await failures({ $0.rows = [] }, from: initial) { $0.rows = [1] } == [])
    let rowsAndProblem: @Sendable (inout Form) -> Void = {
      $0.rows = []
      $0.problem = "x"
    }
    #expect(await failures(rowsAndProblem, from: initial) { $0.rows = [1] } == [])
    #expect(
      await failures(rowsAndProblem, from: initial) {
        $0.rows = [1]
        $0.problem = nil
      } == [#"problem: expected nil, is "x""#])
  }

  @Test func aPartBesideACollectionThatHasGotElementsIsCompared() async {
    #expect(
      await failures({ $0.rows.append(1) }) {
        $0.rows.append(1)
        $0.count = 0
      } == ["count: expected 0, is 1"])
    #expect(await failures({ $0.rows.append(1) }) { $0.count = 0 } == ["count: expected 0, is 1"])
  }
}
