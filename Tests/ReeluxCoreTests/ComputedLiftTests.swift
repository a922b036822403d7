import ReeluxTestSupport
import Testing

@testable import ReeluxCore

/// A lift reads and sets a computed or observed property once.
@Suite(.timeLimit(.minutes(15))) struct ComputedLiftTests {
  // MARK: Optionals

  /// The values to which its properties were set.
  struct Watched: Sendable {
    let sets: Journal<String>
    private var name: String? = "Ada"
    init(_ sets: Journal<String>) { self.sets = sets }

    var selected: String? {
      get { name }
      set {
        sets.write("set \(newValue ?? "nil")")
        name = newValue
      }
    }
    var observed: String? = "Ada" {
      didSet { sets.write("didSet \(observed ?? "nil")") }
    }
    var plain: String? = "Ada"
    var list = ["Ada", "Bea"]
    var computedList: [String] {
      get { list }
      set {
        sets.write("set \(newValue.count)")
        list = newValue
      }
    }
  }
  /// Appends a text, but rejects an empty one depending on the state.
  static let append = Reducer<String, String>.partial { text, name in
    if text.isEmpty { return false }
    name += text
    return true
  }

  @Test(.conformance(98)) func aComputedOptionalIsSetOncePerAcceptedActionAndNeverToNil() {
    let sets = Journal<String>()
    var state = Watched(sets)
    let lift = Self.append.lift(action: .identity, optional: \Watched.selected)
    #expect(lift.reduce("!", &state))
    #expect(sets.entries == ["set Ada!"])
    #expect(!lift.reduce("", &state))
    #expect(sets.entries == ["set Ada!"])
    state.selected = nil
    sets.clear()
    #expect(!lift.reduce("!", &state))
    #expect(sets.entries == [])
  }

  @Test(.conformance(98)) func anObservedOptionalCallsItsObserverOncePerAcceptedAction() {
    let sets = Journal<String>()
    var state = Watched(sets)
    let lift = Self.append.lift(action: .identity, optional: \Watched.observed)
    #expect(lift.reduce("!", &state))
    #expect(!lift.reduce("", &state))
    #expect(sets.entries == ["didSet Ada!"])
  }

  @Test(.conformance(98)) func aCompositionSetsAComputedPropertyOncePerAcceptedAction() {
    let both =
      Self.append
      <> Reducer.partial { text, name in
        if text == "?" { return false }
        name += text.uppercased()
        return true
      }
    struct Named: Sendable, Identifiable { var id = 1, name = "Ada" }
    struct Whole: Sendable {
      let sets: Journal<String>
      private var stored = Named()
      init(_ sets: Journal<String>) { self.sets = sets }
      var computed: String {
        get { stored.name }
        set {
          sets.write(newValue)
          stored.name = newValue
        }
      }
      var rows: [Named] {
        get { [stored] }
        set { computed = newValue[0].name }
      }
      var optional: String? {
        get { computed }
        set { computed = newValue ?? "nil" }
      }
    }
    let prism = Prism<String, ElementAction<Int, String>>(embed: { $0.action }, extract: { ElementAction(1, $0) })
    let lifts: [Reducer<String, Whole>] = [
      both.lift(action: .identity, state: \Whole.computed),
      both.lift(action: .identity, get: { $0.computed }, set: { $0.computed = $1 }),
      both.lift(action: .identity, optional: \Whole.optional),
      both.lift(action: .identity, state: \Named.name).lift(action: prism, element: .byID(\Whole.rows)),
      both.lift(action: .identity, state: \Named.name).lift(action: .identity, each: \Whole.rows),
    ]
    for lift in lifts {
      let sets = Journal<String>()
      let store = Store(initialState: Whole(sets), reducer: lift)
      store.dispatch("a")
      store.dispatch("?")
      store.dispatch("")
      #expect(sets.entries == ["AdaaA", "AdaaA?", "AdaaA?"])
    }
  }

  // MARK: Each

  final class Counts: Sendable {
    let gets = Journal<Int>()
    let sets = Journal<Int>()
  }
  struct Counted: Sendable {
    let counts = Counts()
    var numbers = Array(0..<1_000)
    var computed: [Int] {
      get {
        counts.gets.write(1)
        return numbers
      }
      set {
        counts.sets.write(1)
        numbers = newValue
      }
    }
  }
  enum Change: Sendable { case add(Int), multiply(Int), other }

  @Test(.conformance(100)) func anActionThatNoReducerOfACompositionHandlesReadsNoComputedCollection() {
    let both =
      Reducer(Prism(case: Change.add) { if case .add(let it) = $0 { it } else { nil } }) { $1 += $0 }
      <> Reducer(Prism(case: Change.multiply) { if case .multiply(let it) = $0 { it } else { nil } }) { $1 *= $0 }
    let store = Store(initialState: Counted(), reducer: both.lift(action: .identity, each: \Counted.computed))
    store.dispatch(.other)
    #expect(store.state.counts.gets.count == 0)
    store.dispatch(.multiply(2))
    #expect(store.state.numbers[999] == 1_998)
  }

  @Test(.conformance(100)) func eachReadsAndSetsAComputedCollectionOnce() {
    var state = Counted()
    let add = Reducer<Int, Int>.partial { number, value in
      if number == 0 { return false }
      value += number
      return true
    }
    let lift = add.lift(action: .identity, each: \Counted.computed)
    #expect(lift.reduce(1, &state))
    #expect(state.numbers == Array(1...1_000))
    // Writing through a key path reads first.
    #expect(state.counts.gets.count <= 2)
    #expect(state.counts.sets.count == 1)
    #expect(!lift.reduce(0, &state))
    #expect(state.counts.sets.count == 1)
  }

  @Test(.conformance(100)) func eachReachesACollectionWithoutContiguousStorage() {
    struct Odd: MutableCollection, Sendable {
      var values = [1, 2, 3]
      var startIndex: Int { 10 }
      var endIndex: Int { 10 + 2 * values.count }
      func index(after index: Int) -> Int { index + 2 }
      subscript(index: Int) -> Int {
        get { values[(index - 10) / 2] }
        set { values[(index - 10) / 2] = newValue }
      }
    }
    struct State: Sendable { var odd = Odd() }
    var state = State()
    #expect(Reducer<Int, Int> { $1 += $0 }.lift(action: .identity, each: \State.odd).reduce(5, &state))
    #expect(state.odd.values == [6, 7, 8])
  }
}
