import Foundation
import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxFavorites

/// The idempotency keys of the documentation.
@Suite(.timeLimit(.minutes(15))) struct SessionTests {
  typealias State = FavoritesState<Int>
  typealias Action = FavoritesAction<Int>

  /// An API that records the requests. Each request fails `failures` times in a way that can succeed later.
  final class Requests: Sendable {
    private let contents = Locked<[FavoritesRequest<Int>]>([])
    private let failures: Int

    init(failures: Int = 0) { self.failures = failures }

    var all: [FavoritesRequest<Int>] { contents.withLock { $0 } }
    var keys: [String] { all.map { "\($0.session)-\($0.number)" } }

    var api: FavoritesAPI<Int> {
      FavoritesAPI(
        fetch: { [] },
        set: { [self] request in
          contents.withLock { $0.append(request) }
          if request.attempt <= failures { throw FavoritesFailure(.offline, "no network") }
        })
    }
  }

  func feature(_ requests: Requests) -> Feature<Action, State> {
    .favorites(api: requests.api, policy: FavoritesPolicy(timeLimit: nil), clock: ImmediateClock())
  }

  @Test(.conformance(114)) func keysOfTwoStoresOfOneFeatureAreDifferent() async {
    let requests = Requests()
    let feature = feature(requests)
    for _ in 1...2 {
      let store = Store(initialState: State(), feature: feature)
      for id in 1...3 { await store.dispatch(.toggle(id)).finish() }
    }
    #expect(requests.all.map(\.number) == [2, 4, 6, 2, 4, 6])
    #expect(Set(requests.keys).count == 6)
    #expect(Set(requests.all.map(\.session)).count == 2)
  }

  @Test(.conformance(114)) func keysOfRowsAreDifferent() async {
    let script = ScriptedAPI()
    let store = LifeCycleTests().store(script)
    store.dispatch(.signIn([LifeCycleTests.User(id: 1), LifeCycleTests.User(id: 2)]))
    for id in 1...2 { store.dispatch(.user(ElementAction(id, .toggle(7)))) }
    await script.sets.pending(atLeast: 2)
    let requests = script.requests.withLock { $0 }
    #expect(requests.map(\.number) == [2, 2])
    #expect(Set(requests.map(\.session)).count == 2)
  }

  @Test(.conformance(114)) func keysOfAnOptionalThatIsOpenedAgainAreDifferent() async {
    let script = ScriptedAPI()
    let store = LifeCycleTests().store(script)
    for _ in 1...2 {
      store.dispatch(.put(State()))
      store.dispatch(.favorites(.toggle(7)))
      await script.sets.pending(atLeast: 1)
      store.dispatch(.put(nil))
    }
    let requests = script.requests.withLock { $0 }
    #expect(requests.map(\.number) == [2, 2])
    #expect(Set(requests.map(\.session)).count == 2)
  }

  @Test(.conformance(114)) func allAttemptsForOneValueHaveOneKeyAlsoAfterAReset() async {
    let requests = Requests(failures: 2)
    let store = Store(initialState: State(), feature: feature(requests))
    await store.dispatch(.toggle(1)).finish()
    #expect(requests.all.map(\.attempt) == [1, 2, 3])
    #expect(Set(requests.keys).count == 1)
    store.dispatch(.reset)
    await store.dispatch(.toggle(1)).finish()
    #expect(Set(requests.keys).count == 2)
    #expect(Set(requests.all.map(\.session)).count == 1)
  }

  @Test(.conformance(114)) func aDecodedStateHasANewSession() async throws {
    let script = ScriptedAPI()
    let store = Store(
      initialState: State(), feature: .favorites(api: script.api, policy: FavoritesPolicy(timeLimit: nil)))
    store.dispatch(.toggle(1))
    await script.sets.pending(atLeast: 1)
    let restored = try JSONDecoder().decode(State.self, from: JSONEncoder().encode(store.state))
    let second = Store(
      initialState: restored, feature: .favorites(api: script.api, policy: FavoritesPolicy(timeLimit: nil)))
    await script.sets.pending(atLeast: 2)
    let requests = script.requests.withLock { $0 }
    #expect(requests.map(\.number) == [2, 2])
    #expect(Set(requests.map(\.session)).count == 2)
    withExtendedLifetime(second) {}
  }

  @Test func aSessionIsNotComparedEncodedOrShown() async throws {
    let requests = Requests()
    let store = Store(initialState: State(), feature: feature(requests))
    await store.dispatch(.toggle(1)).finish()
    let sent = try #require(requests.all.first)
    let request = FavoritesRequest(id: 1, isFavorite: true, number: 2)
    #expect(sent.session.count == 32)
    #expect(request.session == "")
    #expect(sent == request)
    #expect(Set([sent, request]).count == 1)
    #expect("\(sent)" == "\(request)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(sent) == encoder.encode(request))
    #expect(
      String(decoding: try encoder.encode(sent), as: UTF8.self)
        == #"{"attempt":1,"id":1,"isFavorite":true,"number":2}"#)
    #expect(State() == State())
  }
}
