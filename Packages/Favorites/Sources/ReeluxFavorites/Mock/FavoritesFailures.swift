/// How often the mock fails, and how.
public struct FavoritesFailures: Equatable, Sendable {
  /// The part of the requests that fail, 0 to 1.
  public let rate: Double

  /// The kinds of failure, each as likely as another; none means no failures.
  ///
  /// A fetch fails by `offline` and `timeout` only. Of the requests that end
  /// in a `timeout`, half are done nevertheless; only the answer is lost.
  public let kinds: [FavoritesFailure.Kind]

  /// This part of the requests fails, in these ways.
  public init(rate: Double, kinds: [FavoritesFailure.Kind] = [.offline, .timeout]) {
    self.rate = rate.isFinite ? min(1, max(0, rate)) : 0
    self.kinds = kinds
  }

  /// No failures.
  public static let none = FavoritesFailures(rate: 0)
}
