import Foundation
import ReeluxCore
import ReeluxUI

/// 1,000,000 actions from another thread, while the main actor shows the store.
@MainActor
enum FloodBenchmark {
  struct FloodState: Sendable {
    var count = 0
    var text = ""
  }

  enum FloodAction: Sendable { case count, text(String) }

  nonisolated static let actions = 1_000_000

  static func run() throws -> [String] {
    let quiet = try measure(isTyping: false)
    let typing = try measure(isTyping: true)
    return [
      "flood: \(actions) actions from another thread, \(quiet.text)",
      "flood: the same while a text field is written, \(typing.text)",
      "  \(typing.writes) writes, \(typing.stale) read back an old text, \(typing.worstWrite)",
    ]
  }

  private struct Figures {
    var total = Duration.zero
    var updates = 0
    var worst = Duration.zero
    var writes = 0
    var stale = 0
    var longestWrite = Duration.zero

    var text: String {
      String(
        format: "%.0f ns each: %ld updates delivered, the main actor was busy for %.2f ms at worst",
        total / .nanoseconds(1) / Double(FloodBenchmark.actions), updates, worst / .milliseconds(1))
    }
    var worstWrite: String { String(format: "%.2f ms for a write at worst", longestWrite / .milliseconds(1)) }
  }

  private static func measure(isTyping: Bool) throws -> Figures {
    let reducer = Reducer<FloodAction, FloodState> { action, state in
      switch action {
      case .count: state.count += 1
      case .text(let text): state.text = text
      }
    }
    let store = Store(initialState: FloodState(), reducer: reducer)
    let view = MainActorStore(store)
    var figures = Figures()
    let subscription = view.observe(\.count) { _ in figures.updates += 1 }
    figures.updates = 0
    let text = view.fieldBinding(\.text, send: FloodAction.text)
    let clock = ContinuousClock()
    let begin = clock.now
    let thread = Thread {
      for _ in 0..<actions { store.dispatch(.count) }
    }
    thread.start()
    // Each round is a turn of the main actor's run loop. Its time without the wait is the main actor's time.
    while view.count < actions {
      let roundBegin = clock.now
      if isTyping {
        figures.writes += 1
        let letters = "text \(figures.writes)"
        let writeBegin = clock.now
        text.wrappedValue = letters
        figures.longestWrite = max(figures.longestWrite, clock.now - writeBegin)
        if text.wrappedValue != letters || view.text != letters { figures.stale += 1 }
      }
      _ = RunLoop.main.run(mode: .default, before: Date())
      figures.worst = max(figures.worst, clock.now - roundBegin)
    }
    figures.total = clock.now - begin
    subscription.cancel()
    try check(store.state.count, is: actions, "flood count")
    return figures
  }
}
