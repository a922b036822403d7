import ReeluxCore
import Synchronization

/// Closures that look at each emitted state. The main actor skips states, so it would not notice that a part was
/// removed and added again between two turns.
///
/// The pipeline's thread calls them. A closure that returns false has nothing to look for any more, and is released.
final class Watches<State: Sendable>: Sendable {
  typealias Look = @Sendable (State) -> Bool

  private final class Watch: Sendable {
    let look: Look

    init(_ look: @escaping Look) { self.look = look }
  }

  let count = WatchCount()
  private let watches = Locked<[Watch]>([])

  func add(_ look: @escaping Look) {
    let watch = Watch(look)
    count.value.add(1, ordering: .relaxed)
    watches.withLock { $0.append(watch) }
  }

  func look(at state: State) {
    // A closure calls getters of the app, so it is neither called nor released under the lock.
    let all = watches.withLock { $0 }
    let ended = all.filter { !$0.look(state) }
    if ended.isEmpty { return }
    count.value.subtract(ended.count, ordering: .relaxed)
    let endedIDs = Set(ended.map(ObjectIdentifier.init))
    watches.withLock { $0.removeAll { endedIDs.contains(ObjectIdentifier($0)) } }
  }
}

/// The number of closures that look at each state. The type is not generic. So an action without watches costs one
/// load.
final class WatchCount: Sendable {
  let value = Atomic(0)
}

/// The lifetime of an observer, or of a part in the state. Any thread may end it.
final class Lifetime: Sendable {
  @MainActor private static var count: UInt64 = 0
  /// The number of calls of ``endPart()`` so far.
  private static let endedParts = Atomic<UInt64>(0)

  /// The place in the order of all lifetimes.
  let number: UInt64
  private let ended = Locked(false)

  @MainActor init() {
    Self.count += 1
    number = Self.count
  }

  var hasEnded: Bool { ended.withLock { $0 } }

  func end() { ended.withLock { $0 = true } }

  /// Ends a part that the main actor may still show.
  func endPart() {
    end()
    Self.endedParts.add(1, ordering: .releasing)
  }

  /// A number that differs from an earlier one if a part has ended since then.
  static var lastEnd: UInt64 { endedParts.load(ordering: .acquiring) }
}
