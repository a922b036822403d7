import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct TestStoreTests {
  let clock = TestClock()
  let find = ScriptedCalls<String, [String]>()
  let news = ScriptedSequence<String>()

  private func makeStore() -> TestStore<SearchAction, Search> {
    TestStore(
      initialState: Search(), feature: .search(find: { [find] in try await find($0) }, news: news, clock: clock))
  }

  @Test(.conformance(66, 69)) func aFeatureIsTestedStepByStepInTheRealStore() async {
    let store = makeStore()
    await store.send(.typed("metropolis")) {
      $0.text = "metropolis"
      $0.isSearching = true
    }
    await clock.advance(by: .milliseconds(299))
    #expect(find.pending.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(find.pending == ["metropolis"])
    await find.succeed(["Metropolis"])
    #expect(store.store.state.results == ["Metropolis"])
    #expect(store.state.results.isEmpty)
    await store.receive(.found(["Metropolis"])) {
      $0.results = ["Metropolis"]
      $0.isSearching = false
    }
    #expect(store.state == store.store.state)
    await store.assertFinished()
  }

  @Test(.conformance(93)) func effectsReadCarriedTaskLocalValues() async {
    enum Trace { @TaskLocal static var id = "none" }
    let feature = Feature<String, Int>(
      middleware: Middleware { action, _, _ in action == "look" ? .task { Trace.id } : .none })
    let plain = TestStore(initialState: 0, feature: feature)
    await Trace.$id.withValue("request 7") { _ = await plain.send("look") }
    await plain.receive("none")
    let locals = [CarriedTaskLocal(Trace.$id)]
    for carrying in [
      TestStore(initialState: 0, feature: feature, carries: locals),
      TestStore(
        initialState: 0, reducer: feature.reducer, middleware: feature.middleware, emits: .always, carries: locals),
    ] {
      await Trace.$id.withValue("request 7") { _ = await carrying.send("look") }
      await carrying.receive("request 7")
    }
  }

  @Test func nTypedLettersAreOneSearch() async {
    let store = makeStore()
    for text in ["m", "me", "met"] {
      await store.send(.typed(text)) {
        $0.text = text
        $0.isSearching = true
      }
      await clock.advance(by: .milliseconds(100))
    }
    await clock.advance(by: .milliseconds(200))
    #expect(find.requests == ["met"])
    await find.fail(Offline())
    await store.receive(.failed("Offline()")) {
      $0.failure = "Offline()"
      $0.isSearching = false
    }
  }

  @Test func aFollowUpIsReceivedWithItsStateChange() async {
    let store = makeStore()
    await store.send(.typed("m")) {
      $0.text = "m"
      $0.isSearching = true
    }
    await store.send(.clear) { $0 = Search() }
    await store.receive(.cleared)
    #expect(clock.sleepers.isEmpty)
    await store.assertFinished()
  }

  @Test func aFeedIsOpenAsLongAsTheStateWantsIt() async {
    let store = makeStore()
    #expect(news.readerCount == 0)
    await store.send(.goLive(true)) { $0.isLive = true }
    #expect(news.readerCount == 1)
    await news.send("M")
    await news.send("Faust")
    #expect(store.store.state.results == ["M", "Faust"])
    await store.receive(.arrived("M")) { $0.results = ["M"] }
    await store.receive(.arrived("Faust")) { $0.results = ["M", "Faust"] }
    await store.send(.goLive(false)) { $0.isLive = false }
    #expect(news.readerCount == 0)
    await store.assertFinished()
  }

  @Test(.conformance(67)) func whatIsSentAfterTheEndIsCheckedAtTheRelease() async {
    let reports = await capturingFailures {
      let store = makeStore()
      await store.assertFinished()
      await store.send(.typed("m")) {
        $0.text = "m"
        $0.isSearching = true
      }
    }
    #expect(reports.map { $0.message.hasPrefix("1 effect is still running:") } == [true])
  }

  @Test func anObjectThatAReducerChangesInPlaceShowsNoChange() async {
    final class Counter: Sendable {
      let count = Locked(0)
    }
    struct Page: Sendable {
      var counter = Counter()
      var show: @Sendable () -> Void = {}
    }
    let store = TestStore(
      initialState: Page(),
      reducer: Reducer<Int, Page> { amount, page in
        if amount < 0 { page.show = { print(amount) } } else { page.counter.count.withLock { $0 += amount } }
      })
    await store.send(1)
    #expect(store.state.counter.count.withLock { $0 } == 1)
    await store.send(-1)
  }
}
