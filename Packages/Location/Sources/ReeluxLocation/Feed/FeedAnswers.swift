/// What the position service of a feed says.
public enum PositionUpdate: Hashable, Codable, Sendable {
  /// A batch of fixes, oldest first.
  case fixes([LocationFix])
  /// The signal is lost; nothing is known of the way to the next fix.
  case interrupted
}

/// What the watch of a region says.
public enum RegionUpdate: Hashable, Codable, Sendable {
  /// Where the device is when the watch begins.
  case determined(RegionPresence)
  /// The device came in.
  case entered
  /// The device went out.
  case left

  /// Where the device is after it.
  public var presence: RegionPresence {
    switch self {
    case .determined(let presence): presence
    case .entered: .inside
    case .left: .outside
    }
  }
}

/// The newest fix of each batch of a position service.
struct NewestFixes: AsyncSequence, Sendable {
  typealias Element = LocationFix
  typealias Failure = any Error

  let updates: LocationFeed.Answers<PositionUpdate>

  func makeAsyncIterator() -> Iterator {
    Iterator(updates: updates.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    var updates: any AsyncIteratorProtocol<PositionUpdate, any Error>

    mutating func next() async throws -> LocationFix? {
      while let update = try await updates.next() {
        if case .fixes(let fixes) = update, let fix = fixes.last { return fix }
      }
      return nil
    }
  }
}
