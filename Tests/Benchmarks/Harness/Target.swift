/// The target for a figure.
enum Target: Sendable {
  /// At most this multiple of the baseline.
  case times(Double)
  /// At most this number of nanoseconds more than the baseline.
  case more(Double)

  func isMet(by nanoseconds: Double, baseline: Double) -> Bool {
    switch self {
    case .times(let factor): nanoseconds <= baseline * factor
    case .more(let limit): nanoseconds - baseline <= limit
    }
  }
}
