/// What a ``WriteQueue`` writes into: used by one thread at a time.
@usableFromInline
package protocol WriteSink: Sendable {
  associatedtype Entry: Sendable

  /// Writes entries in their order. `lost` entries were given up before the first.
  mutating func write(_ entries: ArraySlice<Entry>, lost: Int)

  /// Everything that is known so far goes to its destination; with `releasing`, also what is held back for folding.
  mutating func flush(releasing: Bool, durably: Bool)

  /// How long something may be held back; `nil` if nothing is.
  var holdTime: Duration? { get }

  /// Entries that the destination refused.
  var failed: Int { get }
}
