import ReeluxCore
@testable import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Feeds that accept messages, in a test store.
@Suite(.timeLimit(.minutes(15))) struct TestStoreFeedTests {
  /// A feed that sends its messages as actions. It also sends the elements of `heard`, in a task of its own.
  struct Wire: FeedingMiddleware {
    var heard: ScriptedSequence<String>?
    var isMainReader = true

    func handle(action: String, from source: ActionSource, state: GetState<[String]>) -> Effect<String> {
      action.hasPrefix("say ") ? .write(String(action.dropFirst(4)), to: 0) : .none
    }

    func feeds(for state: [String]) -> [Feed<String>] {
      if state.last == "hang up" { return [] }
      return [
        Feed(key: 0, messages: String.self) { messages, send in
          await withTaskGroup { group in
            if let heard { group.addTask { do { for try await text in heard { send(text) } } catch {} } }
            if isMainReader {
              for await message in messages { send("said \(message)") }
            } else {
              group.addTask { for await message in messages { send("said \(message)") } }
            }
          }
          send("closed")
        }
      ]
    }
  }

  private func makeStore(_ wire: Wire) -> TestStore<String, [String]> {
    TestStore(
      initialState: [], reducer: Reducer { action, state in state.append(action) }, middleware: Middleware(wire))
  }

  @Test(arguments: [true, false], [true, false])
  func aFeedThatWaitsForMessagesFailsAtOnce(isHearing: Bool, isMainReader: Bool) async {
    let store = makeStore(Wire(heard: isHearing ? ScriptedSequence() : nil, isMainReader: isMainReader))
    store.exhaustivity.remove(.openFeeds)
    let waits = store.changes.waits
    let reports = await capturingFailures { await store.receive("x") }
    #expect(store.changes.waits == waits)
    #expect(reports.count == 1)
    #expect(reports.first?.message.hasSuffix(", waiting for a message") == true)
    await store.send("say hello") { $0 = ["say hello"] }
    await store.receive("said hello") { $0.append("said hello") }
    #expect(await capturingFailures { await store.receive("x") }.map(\.message) == reports.map(\.message))
    #expect(store.changes.waits == waits)
  }

  @Test func messagesAndScriptedElementsAreReceived() async {
    let heard = ScriptedSequence<String>()
    let store = makeStore(Wire(heard: heard))
    store.exhaustivity.remove(.stateChanges)
    await heard.send("a")
    await store.receive("a")
    await store.send("say b")
    await store.receive("said b")
    await heard.send("c")
    await store.receive("c")
    await heard.finish()
    await store.send("hang up")
    await store.assertFinished()
  }

  @Test func theActionsOfAFeedThatAwaitsReducedAreReceived() async {
    struct Producer: FeedingMiddleware {
      func handle(action: String, from source: ActionSource, state: GetState<[String]>) -> Effect<String> { .none }
      func feeds(for state: [String]) -> [Feed<String>] {
        [
          Feed(key: 0) { send in
            for text in ["a", "b", "c"] {
              send(text)
              await send.reduced()
            }
          }
        ]
      }
    }
    let store = TestStore(
      initialState: [String](), reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware(Producer()))
    await store.receive("a") { $0 = ["a"] }
    await store.receive("b") { $0 = ["a", "b"] }
    await store.receive("c") { $0 = ["a", "b", "c"] }
    await store.assertFinished()
  }

  @Test func aFeedThatReadsNoMessageWaitsForWorkOutside() async {
    struct Deaf: FeedingMiddleware {
      let outside: AsyncStream<String>
      func handle(action: String, from source: ActionSource, state: GetState<[String]>) -> Effect<String> { .none }
      func feeds(for state: [String]) -> [Feed<String>] {
        [Feed(key: 0, messages: String.self) { _, send in for await text in outside { send(text) } }]
      }
    }
    let (stream, outside) = AsyncStream.makeStream(of: String.self)
    let store = TestStore(
      initialState: [String](), reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware(Deaf(outside: stream)), exhaustivity: .all.subtracting(.openFeeds))
    Task { outside.yield("late") }
    await store.receive("late") { $0 = ["late"] }
  }

  @Test func withATimeoutWorkOutsideIsAwaitedBesideMessages() async {
    struct Chat: FeedingMiddleware {
      let outside: AsyncStream<String>
      func handle(action: String, from source: ActionSource, state: GetState<[String]>) -> Effect<String> { .none }
      func feeds(for state: [String]) -> [Feed<String>] {
        [
          Feed(key: 0, messages: String.self) { messages, send in
            async let received: Void = { for await text in outside { send(text) } }()
            for await _ in messages {}
            await received
          }
        ]
      }
    }
    let (stream, outside) = AsyncStream.makeStream(of: String.self)
    let store = TestStore(
      initialState: [String](), reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware(Chat(outside: stream)), exhaustivity: .all.subtracting(.openFeeds))
    Task { outside.yield("late") }
    await store.receive("late", timeout: .seconds(60)) { $0 = ["late"] }
  }

  @Test func aFeedThatSleepsForNoTimeInALoopFailsAndDoesNotHang() async {
    struct Ticking: FeedingMiddleware {
      let clock = TestClock()
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> { .none }
      func feeds(for state: Int) -> [Feed<Int>] {
        [
          Feed(key: 0) { send in
            while !Task.isCancelled {
              send(1)
              try? await clock.sleep(for: .zero)
            }
          }
        ]
      }
    }
    let reports = await capturingFailures {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in }, middleware: Middleware(Ticking()), exhaustivity: .none)
      await store.settle()
    }
    #expect(reports.contains { $0.message.hasPrefix("The effects do not finish") })
  }
}
