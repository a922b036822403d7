import ReeluxCore

extension TestStore {
  /// Asserts that all actions have been received, no effect is running and no feed is open.
  ///
  /// Without this call, the test store checks the same when it is released. It then does not wait for work outside of
  /// the test, and reports failures at the line that created the store. It also does so if the test sends an action
  /// after this call.
  ///
  /// - Parameter timeout: The longest real time to wait for effects that wait for work outside of the test or for their
  ///   child tasks. Default: five seconds.
  public nonisolated(nonsending) func assertFinished(
    timeout: Duration = .seconds(5), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    function: StaticString = #function, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let waits = exhaustivity.contains(.runningEffects)
    await settle(
      until: { !waits || !isAnyEffectRunning }, timeout: timeout, waitsForOutside: false, countsFeeds: false, place)
    failLeftovers(place)
    settings.withLock { $0.isFinished = true }
  }

  /// Fails the test for remaining actions, effects and feeds.
  func failLeftovers(_ place: TestPlace) {
    let kinds = exhaustivity
    let report = { [self] (kind: Exhaustivity, text: String) in
      if kinds.contains(kind) { fail(text, at: place) } else { note(text, at: place) }
    }
    let received = recorder.received
    if !received.isEmpty {
      let verb = received.count == 1 ? "was" : "were"
      report(
        .receivedActions,
        "\(Wording.count(received.count, "action")) \(verb) not received by the test:\n\n\(Wording.list(received))")
    }
    let running = self.running
    let effects = running.filter { !$0.isFeed }
    if !effects.isEmpty {
      let verb = effects.count == 1 ? "is" : "are"
      report(.runningEffects, "\(Wording.count(effects.count, "effect")) \(verb) still running:\n\n\(list(effects))")
    }
    let feeds = running.filter(\.isFeed)
    if !feeds.isEmpty {
      let verb = feeds.count == 1 ? "is" : "are"
      report(.openFeeds, "\(Wording.count(feeds.count, "feed")) \(verb) still open:\n\n\(list(feeds))")
    }
  }

  /// Whether an effect is running. Feeds do not count.
  var isAnyEffectRunning: Bool { running.contains { !$0.isFeed } }

  /// The running effects and feeds, in the order of the places that started them.
  private var running: [EffectRun] {
    guard let store = settings.withLock({ $0.store }) else { return [] }
    return store.effects.running.sorted {
      ($0.source?.file ?? "", $0.source?.line ?? 0) < ($1.source?.file ?? "", $1.source?.line ?? 0)
    }
  }

  /// The running effects and feeds as text for a failure.
  func runningText() -> String {
    let running = self.running
    if running.isEmpty { return "No effect is running and no feed is open." }
    return "These are running:\n\n\(list(running))"
  }

  private func list(_ running: [EffectRun]) -> String {
    let others = executor.waits(exceptOfTasks: Set(self.running.compactMap { $0.currentTask?.hashValue }))
    let unknown = "waiting for work outside of the test" + (others.isEmpty ? "" : ", or for one of its child tasks")
    let list = Wording.shortened(running) { "\(line(of: $0)), \(wait(of: $0) ?? unknown)" }
    if others.isEmpty || !running.contains(where: { wait(of: $0) == nil }) { return list }
    let waits = Wording.shortened(others) { "  - \($0)" }
    return "\(list)\n\nChild tasks of effects, or cancelled effects, wait for the test:\n\n\(waits)"
  }

  private func line(of effect: EffectRun) -> String {
    "  - \(effect.isFeed ? "feed" : "effect") \(effect.source.map { "from \($0)" } ?? "not begun")"
  }

  /// The text about the wait of an effect or feed, if only the test can end the wait; `nil` if this is not known.
  ///
  /// Only a middleware of the store writes messages to a feed. So only an action can end the wait for a message.
  private func wait(of effect: EffectRun) -> String? {
    effect.currentTask.flatMap { executor.wait(ofTask: $0.hashValue) }
      ?? (effect.awaitsMessage ? "waiting for a message" : nil)
  }

  /// Whether an effect or feed is running that waits neither for a clock or script of the test, nor for a message.
  ///
  /// This is also the case if its child tasks wait for the test: another of them may wait for work outside, and Swift
  /// does not state the parent of a task.
  private func mayMoveByItself(countingFeeds: Bool) -> Bool {
    running.contains { effect in
      guard countingFeeds || !effect.isFeed else { return false }
      return wait(of: effect) == nil
    }
  }

  /// Runs pending work until a condition holds. If an effect waits for work outside, this waits for it.
  ///
  /// - Parameter waitsForOutside: Whether to wait even if no effect is known to wait for work outside.
  /// - Returns: Whether the condition holds.
  @discardableResult nonisolated(nonsending) func settle(
    until isDone: () -> Bool, timeout: Duration, waitsForOutside: Bool, countsFeeds: Bool = true, _ place: TestPlace
  ) async -> Bool {
    let limit = TimeLimit(timeout, changes: changes)
    while true {
      let count = changes.count
      await settle(place)
      if isDone() { return true }
      guard waitsForOutside || mayMoveByItself(countingFeeds: countsFeeds) else { return false }
      if limit.isReached { return false }
      await changes.wait(after: count)
    }
  }

  /// Fails the test for effects that run without end.
  func failEndless(_ place: TestPlace) {
    let running = Wording.shortened(running.filter { wait(of: $0) == nil }, line)
    fail(
      "The effects do not finish: they ran more than 10,000 steps without waiting for a clock or for work outside of the "
        + "test. A timer or a loop on an ImmediateClock never waits: pass a TestClock. A loop that only "
        + "yields never waits either."
        + (running.isEmpty ? "" : "\n\nThese are running:\n\n\(running)"),
      at: place)
  }

  /// Fails the test for an action that endlessly led to further actions.
  func failRunaway(_ place: TestPlace) {
    guard let dropped = recorder.takeRunaway() else { return }
    fail(
      "Actions lead to each other without end. After 10,000 of them this one was dropped:\n\n"
        + "  - \(Wording.action(dropped.action)), sent at \(dropped.source)",
      at: place)
  }
}
