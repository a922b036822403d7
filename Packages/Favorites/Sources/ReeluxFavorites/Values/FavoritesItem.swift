/// What is going on with one item that is not at rest.
///
/// An item at rest has none: what is wished is what the server confirmed.
public struct FavoritesItem: Hashable, Codable, Sendable {
  /// Where an item stands between a wish and its confirmation.
  public enum Phase: Hashable, Codable, Sendable {
    /// The state while the item waits for one of the places at the server.
    case queued(attempt: Int)
    /// The state while a request is with the server; the wish may have changed since it left.
    case requesting(value: Bool, attempt: Int, number: Int)
    /// The state during the pause before an attempt; no request is with the server.
    case waiting(attempt: Int, number: Int)
    /// The state after the last attempt failed: what is shown is what the server last confirmed.
    case failed(FavoritesFailure)
  }

  /// The last wish: is it to be a favourite? After a failure, the wish that failed.
  public var wish: Bool

  /// Where the item stands.
  public var phase: Phase

  /// Whether what the server last confirmed is surely what it holds.
  ///
  /// It is not after an answer that did not come, until the next answer or fetch.
  public var isCertain: Bool

  /// The place of this wish among all wishes: a later one has a larger number.
  public var order: Int

  /// Describes an item that is not at rest.
  public init(wish: Bool, phase: Phase, isCertain: Bool = true, order: Int) {
    self.wish = wish
    self.phase = phase
    self.isCertain = isCertain
    self.order = order
  }

  /// Why the last wish was given up, if it was.
  public var failure: FavoritesFailure? {
    guard case .failed(let failure) = phase else { return nil }
    return failure
  }

  /// Whether the wish is still under way.
  public var isPending: Bool { failure == nil }

  @usableFromInline var isQueued: Bool {
    guard case .queued = phase else { return false }
    return true
  }

  var isWaiting: Bool {
    guard case .waiting = phase else { return false }
    return true
  }

  @usableFromInline var isRequesting: Bool {
    guard case .requesting = phase else { return false }
    return true
  }
}
