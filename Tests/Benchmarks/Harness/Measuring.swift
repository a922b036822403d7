import Synchronization

/// What one repetition of one contestant took.
struct Sample {
  var nanoseconds: Double
  var allocations: Int
}

/// A final state that is not what the actions lead to.
struct WrongResult: Error, CustomStringConvertible {
  var description: String
}

/// Times `body` and counts the allocations in it.
///
/// Not inlined: `Scripts/instructions` takes what callgrind counts inside the function of this name.
@inline(never)
func measure(_ body: () -> Void) -> Sample {
  let allocations = AllocationCounter.count
  let start = ContinuousClock.now
  body()
  let duration = ContinuousClock.now - start
  return Sample(
    nanoseconds: duration / .nanoseconds(1), allocations: AllocationCounter.count - allocations)
}

/// Times asynchronous `body` and counts the allocations in it.
func measure(_ body: () async -> Void) async -> Sample {
  let allocations = AllocationCounter.count
  let start = ContinuousClock.now
  await body()
  let duration = ContinuousClock.now - start
  return Sample(
    nanoseconds: duration / .nanoseconds(1), allocations: AllocationCounter.count - allocations)
}

/// Fails unless the two are equal.
func check<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
  guard value == expected else {
    throw WrongResult(description: "\(what): got \(value), expected \(expected)")
  }
}

/// A count that observers write. It is read only after they have finished.
final class Tally: @unchecked Sendable {
  var count = 0
}
