import ReeluxCore

/// The test stores whose effects have waited for some clock or script: they are pumped when it moves.
struct PumpExecutors: Sendable {
  private struct Weak {
    weak var executor: PumpExecutor?
  }

  private var members: [Weak] = []

  /// Adds the current task's.
  mutating func insert(_ executor: PumpExecutor?) {
    guard let executor, !members.contains(where: { $0.executor === executor }) else { return }
    members.removeAll { $0.executor == nil }
    members.append(Weak(executor: executor))
  }

  /// Lets everything happen that can happen now.
  nonisolated(nonsending) func pump() async {
    for executor in members.compactMap(\.executor) { await executor.pump() }
  }
}
