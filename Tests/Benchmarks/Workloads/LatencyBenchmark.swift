import Foundation
import ReeluxCore
import Synchronization

/// The durations of single dispatches, alone, and while a second thread reads and a third one dispatches.
enum LatencyBenchmark {
  /// The lines of a table in nanoseconds.
  static func run() throws -> [String] {
    var lines = ["latency              p50     p99   p99.9     worst"]
    for isShared in [false, true] {
      let store = Store(initialState: AppState(), feature: .app)
      lines.append(
        line("store", isShared, measure(isShared, read: { store.state.counter }, dispatch: { store.dispatch($0) })))
      let mutex = MutexStore()
      lines.append(
        line("mutex", isShared, measure(isShared, read: { mutex.state.counter }, dispatch: { mutex.dispatch($0) })))
    }
    return lines
  }

  private static let count = 300_000

  private static func measure(
    _ isShared: Bool, read: @escaping @Sendable () -> Int, dispatch: @escaping @Sendable (AppAction) -> Void
  ) -> [Double] {
    let isOver = Ending()
    let others = DispatchGroup()
    if isShared {
      Thread.detachNewThread(in: others) { while !isOver.flag.load(ordering: .relaxed) { _ = read() } }
      Thread.detachNewThread(in: others) {
        while !isOver.flag.load(ordering: .relaxed) { forEachAction(64, dispatch) }
      }
    }
    var times: [Double] = []
    times.reserveCapacity(count)
    forEachAction(count) { action in
      let start = ContinuousClock.now
      dispatch(action)
      times.append((ContinuousClock.now - start) / .nanoseconds(1))
    }
    isOver.flag.store(true, ordering: .relaxed)
    others.wait()
    return times.sorted()
  }

  private static func line(_ name: String, _ isShared: Bool, _ times: [Double]) -> String {
    let parts = [0.5, 0.99, 0.999, 1].map { times[min(times.count - 1, Int(Double(times.count) * $0))] }
    return String(
      format: "%@ %7.0f %7.0f %7.0f %9.0f",
      "\(name), \(isShared ? "shared" : "alone")".padding(
        toLength: 15, withPad: " ", startingAt: 0), parts[0], parts[1], parts[2], parts[3])
  }
}

/// A signal for endless threads to return.
final class Ending: Sendable {
  let flag = Atomic<Bool>(false)
}

extension Thread {
  /// Runs `body` on a thread that the group waits for.
  static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    Thread {
      body()
      group.leave()
    }.start()
  }
}
