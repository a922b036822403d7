import ReeluxCore
import ReeluxLocation

/// A feed that a test controls. It records which services are opened and closed.
final class FeedProbe: Sendable {
  private struct Contents {
    var log: [String] = []
    var authorization: AsyncStream<LocationAuthorization>.Continuation?
    var positions: AsyncThrowingStream<PositionUpdate, any Error>.Continuation?
    var headings: AsyncThrowingStream<Heading, any Error>.Continuation?
    var regions: [String: AsyncThrowingStream<RegionUpdate, any Error>.Continuation] = [:]
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Locked(Contents())

  /// The opened and closed services, in order.
  var log: [String] { contents.withLock { $0.log } }

  /// Returns when the log equals this list.
  func waits(for wanted: [String]) async {
    await waits { $0 == wanted }
  }

  /// Returns when the log fulfils a condition, or after the time limit of the test.
  func waits(until condition: @Sendable ([String]) -> Bool) async {
    await withTaskCancellationHandler {
      while !condition(log), !Task.isCancelled {
        await withCheckedContinuation { continuation in
          let isDone = contents.withLock { contents in
            if condition(contents.log) || Task.isCancelled { return true }
            contents.watchers.append(continuation)
            return false
          }
          if isDone { continuation.resume() }
        }
      }
    } onCancel: {
      wakeWatchers()
    }
  }

  private func wakeWatchers() {
    let watchers = contents.withLock { contents in
      defer { contents.watchers = [] }
      return contents.watchers
    }
    for watcher in watchers { watcher.resume() }
  }

  private func note(_ line: String) {
    contents.withLock { $0.log.append(line) }
    wakeWatchers()
  }

  func answer(_ authorization: LocationAuthorization) {
    contents.withLock { $0.authorization }?.yield(authorization)
  }

  func withholdAnswer() {
    contents.withLock { $0.authorization }?.finish()
  }

  func send(_ update: PositionUpdate) {
    contents.withLock { $0.positions }?.yield(update)
  }

  func endPositions(throwing error: (any Error)? = nil) {
    contents.withLock { $0.positions }?.finish(throwing: error)
  }

  func send(_ heading: Heading) {
    contents.withLock { $0.headings }?.yield(heading)
  }

  func send(_ update: RegionUpdate, region: String) {
    contents.withLock { $0.regions[region] }?.yield(update)
  }

  private func stream<Element: Sendable>(
    _ name: String, keep: (AsyncThrowingStream<Element, any Error>.Continuation) -> Void
  ) -> LocationFeed.Responses<Element> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
    continuation.onTermination = { _ in self.note("close \(name)") }
    keep(continuation)
    note("open \(name)")
    return stream
  }

  var feed: LocationFeed {
    LocationFeed(
      authorization: {
        let (stream, continuation) = AsyncStream.makeStream(of: LocationAuthorization.self)
        continuation.onTermination = { _ in self.note("close authorization") }
        self.contents.withLock { $0.authorization = continuation }
        self.note("open authorization")
        return stream
      },
      positions: { _ in
        self.stream("position") { continuation in self.contents.withLock { $0.positions = continuation } }
      },
      headings: { _ in
        self.stream("heading") { continuation in self.contents.withLock { $0.headings = continuation } }
      },
      regionUpdates: { region in
        self.stream("region \(region.id)") { continuation in
          self.contents.withLock { $0.regions[region.id] = continuation }
        }
      })
  }
}
