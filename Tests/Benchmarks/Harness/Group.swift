import Dispatch
import Synchronization

/// One program that is measured: a workload on the store, or on a baseline.
struct Contestant: Sendable {
  let name: String
  /// How many actions one repetition sends.
  let actions: Int
  /// Runs it once, on the thread that calls.
  let run: @Sendable (_ actions: Int) throws -> Sample
}

extension Contestant {
  /// One that waits for tasks: the calling thread sleeps meanwhile.
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

/// A workload beside a baseline, as one row of the result.
struct Comparison: Sendable {
  let workload: String
  let baseline: String
  /// The contestant that the baseline's figure comes from.
  let contestant: String
  /// What is good enough, if anything is said about it.
  let target: Target?
  /// Whether an action must not ask for memory.
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

/// Contestants that are measured in turns, so that a disturbance meets all of them.
struct Group: Sendable {
  let contestants: [Contestant]
  let comparisons: [Comparison]
  /// How often it is run at most.
  var repetitions = Int.max
  /// Whether it is run only if it is asked for by name.
  var isExtra = false
}
