import Core

/// What a logger remembers on the pipeline: the number of actions, and the rate.
final class LogLedger: Sendable {
  private struct Page {
    var count = 0
    var meter: RateMeter?
  }

  private let page: Locked<Page>
  private let hasRate: Bool

  init(_ rate: LogRate?) {
    page = Locked(Page(meter: rate.map { RateMeter($0) }))
    hasRate = rate != nil
  }

  /// The number of the next action.
  func count() -> Int {
    page.withLock { page in
      page.count += 1
      return page.count
    }
  }

  /// How many actions were held back since the last record; `nil` if this one is held back too.
  func pass(_ clock: LogClock) -> Int? {
    guard hasRate else { return 0 }
    let uptime = clock.uptime()
    return page.withLock { $0.meter?.pass(at: uptime) }
  }
}
