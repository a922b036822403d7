/// How far a reader has come.
public struct ReadingProgress: Hashable, Sendable {
  /// Bytes read so far.
  public var bytes: Int
  /// Bytes of the whole input; `nil` when it is not known before its end.
  public var totalBytes: Int?
  /// Points read so far.
  public var points: Int

  /// Creates a progress report.
  public init(bytes: Int, totalBytes: Int?, points: Int) {
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.points = points
  }

  /// The share that is done, 0 … 1; `nil` when the whole is not known.
  public var fraction: Double? {
    guard let totalBytes else { return nil }
    return totalBytes > 0 ? min(1, Double(bytes) / Double(totalBytes)) : 1
  }
}
