internal import Foundation

/// Where a logger's records go, and in which format.
///
/// A destination that fails (a full disk, a closed pipe, a missing directory) is reported once on standard error; the
/// records that it refuses are counted in ``LoggerStatistics/failed``, and the store goes on. It is tried again with every
/// record, so that a disk with room again goes on being written to.
public struct LogDestination: Sendable {
  /// Opens the destination; called once for each logger, on first use.
  let open: @Sendable () -> any LogOutput

  /// Standard error in the pretty format, with colour on a terminal.
  public static let standardError = standardError(.pretty())

  /// Standard error.
  public static func standardError(_ format: LogFormat) -> LogDestination {
    LogDestination { DescriptorOutput(descriptor: STDERR_FILENO, name: "standard error", format: format) }
  }

  /// A file that is appended to; it is created if it is missing, its directory is not.
  ///
  /// Each batch of records is handed to the system with one call; ``LoggerMiddleware/flush(durably:)`` hands on the rest.
  /// - Parameters:
  ///   - path: The file.
  ///   - format: The text of a record.
  ///   - rotation: When to begin a new file.
  public static func file(
    _ path: String, format: LogFormat = .jsonLines, rotation: LogRotation = .never
  ) -> LogDestination {
    LogDestination { FileOutput(path: path, format: format, rotation: rotation) }
  }

  /// The last records, in memory.
  public static func memory(_ memory: LogMemory) -> LogDestination {
    records { memory.append($0) }
  }

  /// Any closure that takes records: the seam for other logging systems.
  ///
  /// It is called on the writer's thread, one call at a time, in the order of the actions. What it throws is reported once.
  public static func records(_ write: @escaping @Sendable (LogRecord) throws -> Void) -> LogDestination {
    LogDestination { ClosureOutput(receive: write) }
  }

  /// Any closure that takes formatted text, without the last line end.
  public static func text(
    _ format: LogFormat, _ write: @escaping @Sendable (String) throws -> Void
  ) -> LogDestination {
    LogDestination {
      ClosureOutput { record in try write(String(format.text(of: record, isTerminal: false).dropLast())) }
    }
  }

  /// Several destinations; one that fails does not keep records from the others.
  public static func all(_ destinations: [LogDestination]) -> LogDestination {
    LogDestination { SeveralOutputs(outputs: destinations.map { FailureGuard($0.open()) }) }
  }
}
