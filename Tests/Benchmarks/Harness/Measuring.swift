import Synchronization

/// The figures of one repetition of one contestant.
struct Sample {
  var nanoseconds: Double
  var allocations: Int
}

/// A final state that differs from the expected one.
struct WrongResult: Error, CustomStringConvertible {
  var description: String
}

/// Measures the time and the allocations of `body`.
///
/// It is not inlined, because `Scripts/instructions` uses callgrind's count for the function with this name.
@inline(never)
func measure(_ body: () -> Void) -> Sample {
  let allocations = AllocationCounter.count
  let start = ContinuousClock.now
  body()
  let duration = ContinuousClock.now - start
  return Sample(
    nanoseconds: duration / .nanoseconds(1), allocations: AllocationCounter.count - allocations)
}

/// Measures the time and the allocations of asynchronous `body`.
func measure(_ body: () async -> Void) async -> Sample {
  let allocations = AllocationCounter.count
  let start = ContinuousClock.now
  await body()
  let duration = ContinuousClock.now - start
  return Sample(
    nanoseconds: duration / .nanoseconds(1), allocations: AllocationCounter.count - allocations)
}

/// Throws unless both values are equal.
func check<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
  guard value == expected else {
    throw WrongResult(description: "\(what): got \(value), expected \(expected)")
  }
}

/// A count that observers write. It is read only after they have finished.
final class Tally: @unchecked Sendable {
  var count = 0
}
