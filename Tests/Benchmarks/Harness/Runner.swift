/// Runs groups: a warm-up, then repetitions in turns, then medians.
struct Runner {
  let options: Options

  /// One row of the result.
  struct Row {
    var name: String
    var nanoseconds: Double
    var baseline: String
    var baselineNanoseconds: Double
    var allocationsPerAction: Double?
    var target: Target?
    var isWithoutAllocations: Bool
    var ratio: Double { nanoseconds / baselineNanoseconds }

    /// Whether all targets of the row are met; `nil` if there are none, or if nothing was measured.
    var isMet: Bool? {
      // The growth of a table in the state, or the first use of a type, is not an allocation of each action.
      if isWithoutAllocations, let allocationsPerAction, allocationsPerAction >= 0.001 { return false }
      guard ratio.isFinite else { return nil }
      return target?.isMet(by: nanoseconds, baseline: baselineNanoseconds) ?? (isWithoutAllocations ? true : nil)
    }
  }

  func run(_ group: Group) throws -> [Row] {
    let comparisons = group.comparisons.filter { options.isWanted($0.workload, isExtra: group.isExtra) }
    let names = Set(
      comparisons.flatMap { comparison -> [String] in
        switch options.side {
        case .both: [comparison.workload, comparison.contestant]
        case .store: [comparison.workload]
        case .baseline where group.comparisons.contains { $0.workload == comparison.contestant }: []
        case .baseline: [comparison.contestant]
        }
      })
    let contestants = group.contestants.filter { names.contains($0.name) }
    var times: [String: [Double]] = [:]
    var allocations: [String: Double] = [:]

    if options.warmsUp {
      for contestant in contestants {
        let actions = options.actions ?? contestant.actions
        let (sample, isCounted) = try AllocationCounter.counting { try contestant.run(actions) }
        if isCounted { allocations[contestant.name] = Double(sample.allocations) / Double(actions) }
      }
    }
    for repetition in 0..<min(options.repetitions, group.repetitions) {
      // Every other repetition is in reverse order, so that no contestant always follows the same one.
      for contestant in repetition.isMultiple(of: 2) ? contestants : contestants.reversed() {
        let actions = options.actions ?? contestant.actions
        times[contestant.name, default: []].append(try contestant.run(actions).nanoseconds / Double(actions))
      }
    }
    return comparisons.map { comparison in
      Row(
        name: comparison.workload, nanoseconds: median(times[comparison.workload]),
        baseline: comparison.baseline, baselineNanoseconds: median(times[comparison.contestant]),
        allocationsPerAction: allocations[comparison.workload],
        target: comparison.target, isWithoutAllocations: comparison.isWithoutAllocations)
    }
  }

  private func median(_ times: [Double]?) -> Double {
    guard let sorted = times?.sorted(), !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
