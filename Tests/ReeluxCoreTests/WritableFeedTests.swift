import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Feeds that also accept messages.
@Suite(.timeLimit(.minutes(15))) struct WritableFeedTests {
  enum Action: Sendable, Equatable { case open(Bool), say(String), heard(String), refused(String) }
  struct State: Sendable, Identifiable {
    var id = 0
    var isOpen = false
    var heard: [String] = []
    var refused: [String] = []
  }

  /// An echo, which sends each message back.
  struct Echo: FeedingMiddleware {
    func handle(action: Action, from source: ActionSource, state: GetState<State>) -> Effect<Action> {
      switch action {
      case .say(let text): .write(text, to: "socket", otherwise: .refused(text))
      default: .none
      }
    }

    func feeds(for state: State) -> [Feed<Action>] {
      guard state.isOpen else { return [] }
      return [
        Feed(key: "socket", messages: String.self) { messages, send in
          for await text in messages {
            send(.heard("\(state.id): \(text)"))
          }
        }
      ]
    }
  }

  static let reducer = Reducer<Action, State> { action, state in
    switch action {
    case .open(let isOpen): state.isOpen = isOpen
    case .heard(let text): state.heard.append(text)
    case .refused(let text): state.refused.append(text)
    case .say: break
    }
  }

  @Test(.conformance(54)) func whatIsWrittenToAnOpenFeedComesBackInItsOrder() async {
    let store = Store(
      initialState: State(), reducer: Self.reducer, middleware: Middleware(Echo()))
    store.dispatch(.say("too early"))
    #expect(store.state.refused == ["too early"])
    store.dispatch(.open(true))
    for number in 1...50 { store.dispatch(.say("\(number)")) }
    await store.reaches { $0.heard.count == 50 }
    #expect(store.state.heard == (1...50).map { "0: \($0)" })
    #expect(store.state.refused == ["too early"])
  }

  @Test(.conformance(54)) func aClosedFeedTakesNoMessageAndANewOneHasItsOwnMailbox() async {
    let store = Store(
      initialState: State(), reducer: Self.reducer, middleware: Middleware(Echo()))
    store.dispatch(.open(true))
    store.dispatch(.open(false))
    store.dispatch(.say("closed"))
    #expect(store.state.refused == ["closed"])
    store.dispatch(.open(true))
    store.dispatch(.say("again"))
    await store.reaches { $0.heard == ["0: again"] }
    #expect(store.state.refused == ["closed"])
  }

  @Test(.conformance(54)) func aFeedWhoseWorkEndedTakesNoMessage() async throws {
    let taken = Journal<String>()
    let feed = Feed<Action>(key: 1, messages: String.self) { messages, _ in
      for await text in messages {
        taken.write(text)
        break
      }
    }
    let (opened, body) = feed.work()
    let mailbox = try #require(opened)
    #expect(mailbox.write("first"))
    await body(Send { _, _ in })
    #expect(taken.entries == ["first"])
    #expect(!mailbox.write("late"))
  }

  @Test(.conformance(54)) func theMessagesThatStillWaitAreDroppedWhenTheFeedCloses() async {
    struct Writer: FeedingMiddleware {
      let taken = Journal<String>()
      let ended = Journal<Int>()
      let door = Door()

      func handle(action: Action, from source: ActionSource, state: GetState<State>) -> Effect<Action> {
        if case .say(let text) = action { .write(text, to: "socket") } else { .none }
      }

      func feeds(for state: State) -> [Feed<Action>] {
        guard state.isOpen else { return [] }
        return [
          Feed(key: "socket", messages: String.self) { messages, _ in
            for await text in messages {
              taken.write(text)
              await door.pass()
            }
            ended.write(1)
          }
        ]
      }
    }
    let writer = Writer()
    let store = Store(initialState: State(), reducer: Self.reducer, middleware: Middleware(writer))
    store.dispatch(.open(true))
    for number in 1...3 { store.dispatch(.say("\(number)")) }
    await writer.taken.reaches(count: 1)
    store.dispatch(.open(false))
    writer.door.open()
    await writer.ended.reaches(count: 1)
    #expect(writer.taken.entries == ["1"])
  }

  @Test(.conformance(51, 54)) func theFeedsOfTwoElementsDoNotMeet() async {
    enum Whole: Sendable { case row(ElementAction<Int, Action>) }
    struct Rows: Sendable { var rows = [State(id: 1), State(id: 2)] }
    let store = Store(
      initialState: Rows(),
      feature: Feature(reducer: Self.reducer, middleware: Middleware(Echo()))
        .lift(
          action: Prism(case: Whole.row) { if case .row(let it) = $0 { it } else { nil } }, element: .byID(\Rows.rows)))
    for id in 1...2 { store.dispatch(.row(ElementAction(id, .open(true)))) }
    for id in 1...2 { store.dispatch(.row(ElementAction(id, .say("hello")))) }
    await store.reaches { $0.rows.allSatisfy { $0.heard.count == 1 } }
    #expect(store.state.rows.map(\.heard) == [["1: hello"], ["2: hello"]])
  }
}
