import Foundation
import ReeluxCore
import Synchronization

/// Eight threads dispatch 20,000 actions each while two others read the state in a tight loop.
enum ContentionBenchmark {
  /// One line: the seconds of each of nine runs.
  static func run() throws -> [String] {
    let times = try (0..<9).map { _ in try once() }
    let texts = times.map { String(format: "%.2f", $0) }
    return ["contention (seconds for 160,000 actions): " + texts.joined(separator: " ")]
  }

  private static func once() throws -> Double {
    let store = Store(initialState: AppState(), feature: .app)
    let isOver = Ending()
    let dispatchers = DispatchGroup()
    let readers = DispatchGroup()
    for _ in 0..<2 {
      Thread.detachNewThread(in: readers) {
        while !isOver.flag.load(ordering: .relaxed) { _ = store.state.counter }
      }
    }
    let start = ContinuousClock.now
    for _ in 0..<8 {
      Thread.detachNewThread(in: dispatchers) { for _ in 0..<20_000 { store.dispatch(.counter(.increment)) } }
    }
    dispatchers.wait()
    // A background task may still process the rest.
    while store.state.counter < 160_000 {}
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    isOver.flag.store(true, ordering: .relaxed)
    readers.wait()
    try check(store.state.counter, is: 160_000, "contention")
    return seconds
  }
}
