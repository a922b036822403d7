/// One program that is measured: a workload on the store, or on a baseline.
struct Contestant: Sendable {
  let name: String
  /// How many actions one repetition sends.
  let actions: Int
  let run: @Sendable (_ actions: Int) async throws -> Sample
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
