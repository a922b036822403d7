import ReeluxCore
import ReeluxTestSupport
import Observation
import Testing

/// Section C, the bridge to `Observation`.
@Suite(.timeLimit(.minutes(2))) struct ObservationTests {
  struct State: Sendable, Equatable {
    var count = 0
    var name = ""
    var address = Address()
    var initials: String { String(name.prefix(1)) }
  }
  struct Address: Sendable, Equatable { var city = "", street = "" }
  enum Action: Sendable { case count(Int), name(String), city(String) }

  static func store() -> Store<Action, State> {
    let count = Prism(case: Action.count) { if case .count(let it) = $0 { it } else { nil } }
    let name = Prism(case: Action.name) { if case .name(let it) = $0 { it } else { nil } }
    let city = Prism(case: Action.city) { if case .city(let it) = $0 { it } else { nil } }
    return Store(
      initialState: State(),
      reducer: .compose {
        Reducer<Int, Int> { $1 = $0 }.lift(action: count, state: \State.count)
        Reducer<String, String> { $1 = $0 }.lift(action: name, state: \State.name)
        Reducer<String, String> { $1 = $0 }.lift(action: city, state: \State.address.city)
      })
  }

  static func tracking(_ journal: Journal<String>, _ name: String, _ read: () -> Void) {
    withObservationTracking(read) { journal.write(name) }
  }

  @Test(.conformance(33), arguments: [true, false])
  func aReadOfOneFieldIsInvalidatedByAChangeOfThatFieldOnly(ofStore: Bool) {
    let store = Self.store()
    let observed = ofStore ? store.observed : ObservedState(store.select(\.self))
    let changes = Journal<String>()
    Self.tracking(changes, "count") { #expect(observed.count == 0) }
    Self.tracking(changes, "name") { #expect(observed.name == "") }
    Self.tracking(changes, "initials") { #expect(observed.initials == "") }
    Self.tracking(changes, "city") { #expect(observed.address.city == "") }
    store.dispatch(.count(0))
    #expect(changes.entries == [])
    store.dispatch(.count(1))
    #expect(changes.entries == ["count"])
    store.dispatch(.count(2))
    #expect(changes.entries == ["count"])
    store.dispatch(.name("Maria"))
    #expect(changes.entries.sorted() == ["count", "initials", "name"])
    #expect(observed.count == 2)
    #expect(observed.initials == "M")
    Self.tracking(changes, "initials again") { _ = observed.initials }
    store.dispatch(.name("Max"))
    #expect(!changes.entries.contains("initials again"))
    store.dispatch(.name("Fritz"))
    #expect(changes.entries.contains("initials again"))
    #expect(!changes.entries.contains("city"))
    store.dispatch(.city("Berlin"))
    #expect(changes.entries.contains("city"))
  }

  @Test(.conformance(33)) func aTrackedClosureIsToldOnceWhateverItRead() {
    let store = Self.store()
    let observed = store.observed
    let changes = Journal<String>()
    Self.tracking(changes, "both") { _ = (observed.count, observed.name) }
    store.dispatch(.name("x"))
    store.dispatch(.count(9))
    #expect(changes.entries == ["both"])
  }

  @Test(.conformance(33, 64)) func theBridgeKeepsNeitherTheStoreNorItself() {
    var store: Store<Action, State>? = Self.store()
    var observed = store?.observed
    let weakStore = store.map { Weak($0) }
    let weakObserved = observed.map { Weak($0) }
    _ = observed?.count
    store?.dispatch(.count(3))
    store = nil
    #expect(weakStore?.object == nil)
    #expect(observed?.count == 3)
    observed = nil
    #expect(weakObserved?.object == nil)
  }
}
