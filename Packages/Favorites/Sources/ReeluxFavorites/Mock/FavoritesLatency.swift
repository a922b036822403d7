/// How long the mock takes to answer.
public enum FavoritesLatency: Equatable, Sendable {
  /// It answers at once.
  case none
  /// It always takes this long; less than nothing is nothing.
  case fixed(Duration)
  /// It takes a time from this range, each as likely as another.
  case uniform(ClosedRange<Duration>)

  /// The latency that a chance from 0 to 1 stands for.
  func duration(chance: Double) -> Duration {
    switch self {
    case .none: .zero
    case .fixed(let duration): max(.zero, duration)
    case .uniform(let range): max(.zero, range.lowerBound + (range.upperBound - range.lowerBound) * chance)
    }
  }
}
