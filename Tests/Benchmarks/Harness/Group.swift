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
  /// The highest ratio that is good enough, if there is one.
  let target: Double?

  init(_ workload: String, _ baseline: String, from contestant: String? = nil, target: Double? = nil) {
    self.workload = workload
    self.baseline = baseline
    self.contestant = contestant ?? baseline
    self.target = target
  }
}

/// Contestants that are measured in turns, so that a disturbance meets all of them.
struct Group: Sendable {
  let contestants: [Contestant]
  let comparisons: [Comparison]
}
