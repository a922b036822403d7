/// When a log file is put aside and a new one begun.
public struct LogRotation: Hashable, Sendable {
  /// The size in bytes that a file does not pass; a single longer line gets a file of its own. `nil` for no limit.
  public var size: Int?
  /// How many older files are kept, as `log.1` (the newest) to `log.N`.
  public var kept: Int

  /// One file, whatever its size.
  public static let never = LogRotation(size: nil, kept: 0)

  /// Begins a new file when the current one would pass a size.
  /// - Parameters:
  ///   - size: Bytes, at least 1.
  ///   - kept: Older files to keep; with 0 the full file is removed.
  public static func size(_ size: Int, keeping kept: Int = 5) -> LogRotation {
    LogRotation(size: max(1, size), kept: max(0, kept))
  }
}
