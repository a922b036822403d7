import Dispatch
import Synchronization

/// A program that is measured: a workload on the store or on a baseline.
struct Contestant: Sendable {
  let name: String
  /// The number of actions in one repetition.
  let actions: Int
  /// Runs the program once on the calling thread.
  let run: @Sendable (_ actions: Int) throws -> Sample
}

extension Contestant {
  /// Creates a program that waits for tasks. The calling thread sleeps during the wait.
  init(name: String, actions: Int, runAsync: @escaping @Sendable (_ actions: Int) async throws -> Sample) {
    self.init(name: name, actions: actions) { actions in
      let result = Mutex<Result<Sample, any Error>>(.failure(WrongResult(description: "\(name): did not run")))
      let done = DispatchSemaphore(value: 0)
      Task {
        do {
          let sample = try await runAsync(actions)
          result.withLock { $0 = .success(sample) }
        } catch {
          result.withLock { $0 = .failure(error) }
        }
        done.signal()
      }
      done.wait()
      return try result.withLock { try $0.get() }
    }
  }
}

/// A workload compared with a baseline, which is one row of the result.
struct Comparison: Sendable {
  let workload: String
  let baseline: String
  /// The contestant whose figure is the baseline.
  let contestant: String
  /// The target for the figure, if there is one.
  let target: Target?
  /// Whether an action must not allocate memory.
  let isWithoutAllocations: Bool

  init(
    _ workload: String, _ baseline: String, from contestant: String? = nil, target: Target? = nil,
    isWithoutAllocations: Bool = false
  ) {
    self.workload = workload
    self.baseline = baseline
    self.contestant = contestant ?? baseline
    self.target = target
    self.isWithoutAllocations = isWithoutAllocations
  }
}

/// Contestants that are measured in turns, so that a disturbance affects all of them.
struct Group: Sendable {
  let contestants: [Contestant]
  let comparisons: [Comparison]
  /// The largest number of runs.
  var repetitions = Int.max
  /// Whether it runs only if it is requested by name.
  var isExtra = false
}
