/// How good a figure must be.
enum Target: Sendable {
  /// At most so many times the baseline.
  case times(Double)
  /// At most so many nanoseconds more than the baseline.
  case more(Double)

  func isMet(by nanoseconds: Double, baseline: Double) -> Bool {
    switch self {
    case .times(let factor): nanoseconds <= baseline * factor
    case .more(let limit): nanoseconds - baseline <= limit
    }
  }
}
