import ReeluxCore
import ReeluxTesting
import Testing

// The cookbook shows this list, whose rows have timers, and its test.

// snippet.rows
struct Countdown: Identifiable, Equatable {
  let id: Int
  var seconds = 60
}

enum CountdownAction { case start, tick }

extension Feature where Action == CountdownAction, State == Countdown {
  static func countdown(clock: any Clock<Duration>) -> Feature {
    Feature(
      reducer: Reducer { action, countdown in
        if case .tick = action { countdown.seconds -= 1 }
      },
      middleware: Middleware { action, source, state in
        switch action {
        case .start: .timer(id: "tick", every: .seconds(1), clock: clock) { .tick }
        case .tick: state().seconds > 1 ? .none : .cancel(id: "tick")  // `state()` is the state before the reducer
        }
      })
  }
}

struct Kitchen: Equatable {
  var countdowns: [Countdown] = []
}

enum KitchenAction {
  case add(Countdown)
  case remove(Int)
  case hold(Int)
  case row(ElementAction<Int, CountdownAction>)
}

extension Prism<KitchenAction, ElementAction<Int, CountdownAction>> {
  static let row = Prism(case: KitchenAction.row) { if case .row(let action) = $0 { action } else { nil } }
}

func kitchen(clock: any Clock<Duration>) -> Feature<KitchenAction, Kitchen> {
  Feature<KitchenAction, Kitchen> {
    Reducer<KitchenAction, Kitchen>.partial { action, kitchen in
      switch action {
      case .add(let countdown): kitchen.countdowns.append(countdown)
      case .remove(let id): kitchen.countdowns.removeAll { $0.id == id }  // its timer ends
      case .hold, .row: return false
      }
      return true
    }
    Middleware { action, source, state in
      switch action {
      case .add(let countdown): .send(.row(ElementAction(countdown.id, .start)))
      case .hold(let id): .cancel(everythingIn: \Kitchen.countdowns, element: id)
      case .remove, .row: .none
      }
    }
    Feature<CountdownAction, Countdown>.countdown(clock: clock).lift(action: .row, element: .byID(\.countdowns))
  }
}
// snippet.end

@Suite(.timeLimit(.minutes(15))) struct CookbookRowsTests {
  // snippet.rows-test
  @Test func theTimerOfARowEndsWithTheRow() async {
    let clock = TestClock()
    let store = TestStore(initialState: Kitchen(), feature: kitchen(clock: clock))
    await store.send(.add(Countdown(id: 1))) { $0.countdowns = [Countdown(id: 1)] }
    await store.receive(.row(ElementAction(1, .start)))
    await clock.advance(by: .seconds(1))
    await store.receive(.row(ElementAction(1, .tick))) { $0.countdowns[0].seconds = 59 }
    await store.send(.remove(1)) { $0.countdowns = [] }
    await store.assertFinished()  // no timer is running
  }
  // snippet.end

  @Test func theListStopsTheTimerOfARow() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: Kitchen(countdowns: [Countdown(id: 1), Countdown(id: 2)]), feature: kitchen(clock: clock))
    await store.send(.row(ElementAction(1, .start)))
    await store.send(.row(ElementAction(2, .start)))
    await store.send(.hold(1))
    await clock.advance(by: .seconds(1))
    await store.receive(.row(ElementAction(2, .tick))) { $0.countdowns[1].seconds = 59 }
    await store.send(.hold(2))
    await store.assertFinished()
  }

  @Test func aTimerEndsWhenTheTimeIsUp() async {
    let clock = TestClock()
    let store = TestStore(initialState: Countdown(id: 1, seconds: 1), feature: .countdown(clock: clock))
    await store.send(.start)
    await clock.advance(by: .seconds(9))
    await store.receive(.tick) { $0.seconds = 0 }
    await store.assertFinished()
  }

  struct Radio: FeedingMiddleware {
    let songs: @Sendable () -> AsyncStream<String>

    func handle(action: String, from source: ActionSource, state: GetState<[String]>) -> Effect<String> { .none }

    func feeds(for state: [String]) -> [Feed<String>] {
      [Feed(key: "songs") { send in for await song in songs() { send(song) } }]
    }
  }

  @Test func aScriptedSequenceIsAStreamThatDoesNotThrow() async {
    // snippet.stream
    let songs = ScriptedSequence<String>()
    let radio = Radio(songs: {
      let iterator = songs.makeAsyncIterator()
      return AsyncStream { try? await iterator.next() }  // an error ends this stream
    })
    // snippet.end
    let store = TestStore(initialState: [], reducer: Reducer { $1.append($0) }, middleware: Middleware(radio))
    store.exhaustivity.remove(.openFeeds)
    await songs.send("Tico-Tico")
    await store.receive("Tico-Tico", timeout: .zero) { $0 = ["Tico-Tico"] }
    #expect(songs.readerCount == 1)
  }
}
