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
