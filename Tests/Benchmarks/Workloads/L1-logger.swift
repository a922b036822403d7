import ReeluxCore
import Foundation
import ReeluxLogger

extension Group {
  /// L1: W1 with a logger that writes JSON Lines, compared with W1, as processor time of the dispatching thread.
  ///
  /// The queue has room for every action, so that the figure is the cost for the pipeline itself. L1-timing keeps no
  /// states for a comparison. L1-standard has the standard queue: the thread sleeps when the queue is full.
  static let logger = Group(
    contestants: [
      Contestant(name: "L1-changes", actions: 1_000_000) { try log($0, queue: LogQueue(capacity: $0)) },
      Contestant(name: "L1-timing", actions: 1_000_000) { try log($0, queue: LogQueue(capacity: $0), detail: .timing) },
      Contestant(name: "L1-standard", actions: 200_000) { try log($0, queue: .standard) },
      Contestant(name: "noLogger", actions: 1_000_000) { actions in
        let store = Store(initialState: AppState(), feature: .app)
        let sample = measureThread { forEachAction(actions) { store.dispatch($0) } }
        try check(store.state, is: .expected(after: actions), "noLogger")
        return sample
      },
    ],
    comparisons: [
      Comparison("L1-changes", "noLogger", target: .more(1000)),
      Comparison("L1-timing", "noLogger", target: .more(1000)),
      Comparison("L1-standard", "noLogger", target: .more(5000)),
    ],
    repetitions: 1, isExtra: true)
}

private func log(_ actions: Int, queue: LogQueue, detail: LogDetail = .changes) throws -> Sample {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID().uuidString).jsonl")
  defer { try? FileManager.default.removeItem(at: file) }
  let logger = LoggerMiddleware<AppAction, AppState>(
    to: .file(file.path, format: .jsonLines), options: LogOptions(detail: detail, queue: queue))
  let feature = Feature<AppAction, AppState> {
    Feature.app
    Feature.logger(logger)
  }
  let store = Store(initialState: AppState(), feature: feature)
  let sample = measureThread { forEachAction(actions) { store.dispatch($0) } }
  logger.flush()
  try check(store.state, is: .expected(after: actions), "L1")
  let statistics = logger.statistics
  try check(statistics.accepted, is: actions, "L1 accepted")
  try check(statistics.droppedOldest + statistics.droppedNewest + statistics.failed, is: 0, "L1 lost")
  try check(lines(in: file), is: actions, "L1 lines")
  return sample
}

private func lines(in file: URL) throws -> Int {
  let handle = try FileHandle(forReadingFrom: file)
  defer { try? handle.close() }
  var count = 0
  while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
    for byte in data where byte == 0x0a { count += 1 }
  }
  return count
}

/// Processor time that the calling thread spends in `body`.
private func measureThread(_ body: () -> Void) -> Sample {
  let allocations = AllocationCounter.count
  let start = threadNanoseconds()
  body()
  return Sample(
    nanoseconds: threadNanoseconds() - start, allocations: AllocationCounter.count - allocations)
}

private func threadNanoseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
