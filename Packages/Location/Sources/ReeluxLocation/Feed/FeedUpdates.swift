/// A response of a feed's position service.
public enum PositionUpdate: Hashable, Codable, Sendable {
  /// A batch of fixes, oldest first.
  case fixes([LocationFix])
  /// The signal is lost, so the path to the next fix is unknown.
  case interrupted
}

/// A response of a region's watch.
public enum RegionUpdate: Hashable, Codable, Sendable {
  /// Whether the device is inside when the watch starts. If this watch has already determined another presence, it
  /// counts as entering or leaving the region.
  case determined(RegionPresence)
  /// The device entered the region.
  case entered
  /// The device left the region.
  case left

  /// Whether the device is inside according to this response.
  public var presence: RegionPresence {
    switch self {
    case .determined(let presence): presence
    case .entered: .inside
    case .left: .outside
    }
  }
}

/// The fixes of a position service, in each batch the newest one first.
struct FixesOfPositions: AsyncSequence, Sendable {
  typealias Element = LocationFix
  typealias Failure = any Error

  let updates: LocationFeed.Responses<PositionUpdate>

  func makeAsyncIterator() -> Iterator {
    Iterator(updates: updates.makeAsyncIterator())
  }

  struct Iterator: AsyncIteratorProtocol {
    var updates: any AsyncIteratorProtocol<PositionUpdate, any Error>
    var batch: [LocationFix] = []

    mutating func next() async throws -> LocationFix? {
      while batch.isEmpty {
        guard let update = try await updates.next() else { return nil }
        if case .fixes(let fixes) = update { batch = fixes }
      }
      return batch.removeLast()
    }
  }
}
