import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct ReceiveTests {
  /// Neither this type nor the actions below are `Equatable`.
  struct Photo: Sendable {
    var name: String
    var develop: @Sendable () -> Void = {}
  }

  enum Album: Sendable {
    case load
    case loaded(Photo)
    case failed(any Error)
  }

  struct Photos: Sendable {
    var names: [String] = []
    var last: Photo?
  }

  private func makeStore() -> TestStore<Album, Photos> {
    TestStore(
      initialState: Photos(),
      reducer: Reducer { action, state in
        if case .loaded(let photo) = action { state.names.append(photo.name) }
      },
      middleware: Middleware { action, _, _ in
        guard case .load = action else { return .none }
        return .run { send in
          send(.loaded(Photo(name: "first")))
          send(.failed(Offline()))
        }
      })
  }

  @Test(.conformance(68)) func actionsAreReceivedByCaseWithoutEquatable() async {
    let store = makeStore()
    await store.send(.load)
    let photo = await store.receive(case: Album.loaded) { $0.names = ["first"] }
    #expect(photo?.name == "first")
    let error = await store.receive(case: Album.failed)
    #expect(error is Offline)
  }

  @Test(.conformance(68)) func actionsAreReceivedByPrismWithoutEquatable() async {
    let loaded = Prism<Album, Photo>(case: Album.loaded) { if case .loaded(let it) = $0 { it } else { nil } }
    let store = makeStore()
    await store.send(.load)
    await store.receive(loaded) { $0.names = ["first"] }
    await store.receive(where: { if case .failed = $0 { true } else { false } })
  }

  @Test func theWrongCaseIsNotReceived() async {
    let store = makeStore()
    await store.send(.load)
    _ = await store.receive(case: Album.loaded) { $0.names = ["first"] }
    let reports = await capturingFailures {
      #expect(await store.receive(case: Album.loaded) == nil)
    }
    #expect(reports.first?.message.contains("expected: a case with a Photo") == true)
    #expect(reports.count == 1)
  }

  @Test func aCaseIsNotMistakenForAnotherOneWithTheSamePayload() async {
    let news = ScriptedSequence<String>()
    let store = TestStore(
      initialState: Search(isLive: true), feature: .search(news: news), exhaustivity: .all.subtracting(.openFeeds))
    await news.send("M")
    let reports = await capturingFailures {
      #expect(await store.receive(case: SearchAction.failed) == nil)
    }
    #expect(reports.count == 1)
  }

  /// Actions that are shown as one text.
  enum Login: Sendable, CustomReflectable, CustomStringConvertible {
    case start
    case received(code: String)
    case failed(String)
    var description: String { "login" }
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  private func makeLogin() -> TestStore<Login, Int> {
    TestStore(
      initialState: 0, reducer: Reducer { _, _ in },
      middleware: Middleware { action, _, _ in
        if case .start = action { .send(.received(code: "1927")) } else { .none }
      })
  }

  @Test func actionsThatHideTheirPartsAreReceivedByCase() async {
    let store = makeLogin()
    await store.send(.start)
    let reports = await capturingFailures {
      #expect(await store.receive(case: Login.failed) == nil)
    }
    #expect(reports.count == 1)
    let other = makeLogin()
    await other.send(.start)
    #expect(await other.receive(case: Login.received) == "1927")
  }

  @Test func anotherActionThatHidesItsPartsIsNotReceived() async {
    for wrong in [Login.failed("1927"), .received(code: "1931")] {
      let store = makeLogin()
      await store.send(.start)
      let reports = await capturingFailures { await store.receive(wrong) }
      #expect(reports.count == 1)
    }
    let store = makeLogin()
    await store.send(.start)
    await store.receive(.received(code: "1927"))
  }

  @Test(arguments: [Exhaustivity.all, []])
  func theMessageNamesTheCaseIfOthersHaveTheSamePayload(exhaustivity: Exhaustivity) async {
    enum Row: Sendable, Equatable { case tapped }
    enum Rows: Sendable, Equatable { case go, saved(Row), moved(from: Int, to: Int), dragged(from: Int, to: Int) }
    let store = TestStore(
      initialState: 0, reducer: Reducer<Rows, Int> { _, _ in },
      middleware: Middleware { action, _, _ in
        action == .go ? .merge(.send(.dragged(from: 1, to: 2)), .send(.saved(.tapped))) : .none
      }, exhaustivity: exhaustivity)
    await store.send(.go)
    let reports = await capturingFailures {
      #expect(await store.receive(case: Rows.moved) == nil)
    }
    let expected = ".moved(…), a case with (Int, Int)"
    let texts =
      exhaustivity == .all
      ? ["expected: \(expected)\n  received: .dragged(from: 1, to: 2)"]
      : ["Expected to receive \(expected), but only other actions arrived"]
    #expect(texts.allSatisfy { reports.first?.message.contains($0) == true }, "\(reports.map(\.message))")
    #expect(await store.receive(case: Rows.saved) == .tapped)
  }

  @Test func aStateWithoutEquatableIsComparedByItsStructure() async {
    let store = makeStore()
    await store.send(.load)
    let reports = await capturingFailures {
      await store.receive(case: Album.loaded) { $0.names = ["second"] }
      await store.receive(case: Album.failed)
    }
    #expect(
      reports.first?.message.hasSuffix("\n\n  names[0]: expected \"second\", is \"first\"") == true)
    #expect(reports.count == 1)
  }

  @Test func workOutsideIsWaitedForWithoutPolling() async {
    let (stream, outside) = AsyncStream.makeStream(of: String.self)
    let store = TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { action, state in state += action },
      middleware: Middleware { action, _, _ in
        guard action == 1 else { return .none }
        return .run { send in
          for await text in stream { send(text.count) }
        }
      })
    await store.send(1) { $0 = 1 }
    Task {
      outside.yield("four")
      outside.yield("seven!!")
      outside.finish()
    }
    await store.receive(4) { $0 = 5 }
    await store.receive(7, timeout: .seconds(60)) { $0 = 12 }
    await store.assertFinished()
  }

  /// The work outside ends at any time after the action was sent.
  @Test(arguments: [true, false]) func workOutsideIsAwaitedByAHandleAndAtTheEnd(byHandle: Bool) async {
    for _ in 1...50 {
      let (stream, outside) = AsyncStream.makeStream(of: String.self)
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { action, state in state = action },
        middleware: Middleware { _, _, _ in .run { _ in for await _ in stream {} } })
      let sent = await store.send(1) { $0 = 1 }
      Task.detached { outside.finish() }
      if byHandle { await sent.finish(timeout: .seconds(60)) }
      await store.assertFinished(timeout: .seconds(60))
    }
  }

  @Test func workOutsideThatNeverComesFailsAfterTheTimeout() async {
    let (stream, outside) = AsyncStream.makeStream(of: String.self)
    let reports = await capturingFailures {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
        middleware: Middleware { _, _, _ in .run { _ in for await _ in stream {} } }, exhaustivity: .receivedActions)
      await store.send(1)
      await store.receive(4, timeout: .milliseconds(1))
    }
    outside.finish()
    #expect(reports.count == 1)
    #expect(reports.first?.message.hasSuffix(", waiting for work outside of the test") == true)
  }

  @Test func aSentActionCanBeCancelledAndAwaited() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { action, state in state = action },
      middleware: Middleware { action, _, _ in
        action == 9 ? .none : .send(9).delay(for: .seconds(action), clock: clock)
      })
    let first = await store.send(1) { $0 = 1 }
    let second = await store.send(2) { $0 = 2 }
    await first.cancel()
    #expect(clock.sleepers.count == 1)
    await clock.run()
    await second.finish()
    await store.receive(9) { $0 = 9 }
    let third = await store.send(3) { $0 = 3 }
    let reports = await capturingFailures { await third.finish() }
    #expect(reports.first?.message.hasPrefix("The action's effects have not ended.") == true)
    await third.cancel()
  }

  /// A test and a helper of an effect on one actor.
  actor Desk {
    var notes: [Int] = []
    func note(_ number: Int) { notes.append(number) }

    func runTest() async {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { action, state in state = action },
        middleware: Middleware { action, _, _ in
          guard action == 1 else { return .none }
          return .run { send in
            await self.note(7)
            send(2)
          }
        })
      await store.send(1) { $0 = 1 }
      await store.receive(2) { $0 = 2 }
      await store.assertFinished()
    }
  }

  @Test func anEffectMayUseTheActorThatTheTestIsOn() async {
    let desk = Desk()
    await desk.runTest()
    #expect(await desk.notes == [7])
  }

  @Test @MainActor func aTestOnTheMainActorWorksAlike() async {
    let store = TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { action, state in state = action },
      middleware: Middleware { action, _, _ in
        action > 1
          ? .none
          : .run { send in
            send(2)
            await MainActor.run { send(3) }
            send(4)
          }
      })
    await store.send(1) { $0 = 1 }
    await store.receive(2) { $0 = 2 }
    await store.receive(3) { $0 = 3 }
    await store.receive(4) { $0 = 4 }
    await store.assertFinished()
  }
}

/// Receiving by case, with any labels of the case's values.
@Suite(.conformance(109), .timeLimit(.minutes(15))) struct ReceiveCaseTests {
  enum Login: Sendable {
    case start
    case found(names: [String])
    case signedIn(user: String, at: Int)
    case signedOut(String, Int)
    case pair((String, Int))
    case failed(code: Int)
    case failed(reason: Int)
    case note(Int?)
  }

  private func makeStore(_ answers: Login...) -> TestStore<Login, Int> {
    TestStore(
      initialState: 0, reducer: Reducer { _, _ in },
      middleware: Middleware { action, _, _ in
        if case .start = action { .send(answers) } else { .none }
      })
  }

  @Test func labelledValuesAreReceivedByTheirCase() async {
    let store = makeStore(.found(names: ["M"]), .signedIn(user: "ada", at: 7), .signedOut("ada", 8))
    await store.send(.start)
    #expect(await store.receive(case: Login.found) == ["M"])
    let signedIn = await store.receive(case: Login.signedIn)
    #expect(signedIn?.0 == "ada" && signedIn?.1 == 7)
    let signedOut = await store.receive(case: Login.signedOut)
    #expect(signedOut?.0 == "ada" && signedOut?.1 == 8)
  }

  @Test func aTupleAndAnOptionalAreReceivedAsOneValue() async {
    let store = makeStore(.pair(("a", 1)), .note(nil))
    await store.send(.start)
    let pair = await store.receive(case: Login.pair)
    #expect(pair?.0 == "a" && pair?.1 == 1)
    #expect(await store.receive(case: Login.note) == .some(nil))
  }

  @Test func casesOfOneNameAreKnownByTheirLabels() async {
    let store = makeStore(.failed(reason: 3))
    await store.send(.start)
    let reports = await capturingFailures {
      #expect(await store.receive(case: Login.failed(code:)) == nil)
    }
    #expect(reports.map(\.isFailure) == [true])
    let other = makeStore(.failed(reason: 3))
    await other.send(.start)
    #expect(await other.receive(case: Login.failed(reason:)) == 3)
  }
}
