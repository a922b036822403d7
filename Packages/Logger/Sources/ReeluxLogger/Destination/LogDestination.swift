internal import Foundation

/// The destination of a logger's records, with its format.
///
/// If a destination fails (a full disk, a closed pipe, a missing directory), the failure is reported once on standard
/// error, and the store continues. ``LoggerStatistics/failed`` counts the lost records. The logger tries to write each
/// further record, so logging resumes when the disk has space again.
public struct LogDestination: Sendable {
  /// Opens the destination; called once for each logger, on first use.
  let open: @Sendable () -> any LogOutput
  /// Called with the message about the first failure.
  var report: @Sendable (String) -> Void = StandardError.write

  init(open: @escaping @Sendable () -> any LogOutput) {
    self.open = open
  }

  /// The same destination. It reports its first failure to a closure, not on standard error, for an app whose screen is
  /// the terminal. The destinations of ``all(_:)`` report their failures themselves.
  package func reportingFailure(to report: @escaping @Sendable (String) -> Void) -> LogDestination {
    var destination = self
    destination.report = report
    return destination
  }

  /// Standard error in the pretty format, with colour on a terminal.
  public static let standardError = standardError(.pretty())

  /// Standard error.
  public static func standardError(_ format: LogFormat) -> LogDestination {
    LogDestination { DescriptorOutput(descriptor: STDERR_FILENO, name: "standard error", format: format) }
  }

  /// A file to append to. A missing file is created. A missing directory is an error. If the file ends inside a line,
  /// because a process ended while it wrote, the next record begins a new line.
  ///
  /// If the file has content that does not begin with a record of the format, the destination fails, and the file stays
  /// as it is. With a custom format, every file is accepted.
  ///
  /// If another program renames or removes the file, the next batch of records goes to a new file. Several loggers may
  /// write to one file, also with rotation. If loggers rotate a file, no other program may rename this file.
  /// Otherwise older files can be lost. A file of several loggers can contain empty lines between long records.
  ///
  /// A named pipe without a reader is an error. If the pipe is full, the writer waits for the reader.
  ///
  /// The records of a batch are written together, about 64 KiB with one system call.
  /// ``LoggerMiddleware/flush(durably:)`` writes the remaining records.
  /// - Parameters:
  ///   - path: The file.
  ///   - format: The format of the records. Default: JSON Lines.
  ///   - rotation: When to begin a new file. Default: never.
  public static func file(
    _ path: String, format: LogFormat = .jsonLines, rotation: LogRotation = .never
  ) -> LogDestination {
    LogDestination { FileOutput(path: path, format: format, rotation: rotation) }
  }

  /// A file as in ``file(_:format:rotation:)``. A file that is not a log of this format is replaced when the first
  /// record is written.
  package static func file(_ path: String, format: LogFormat, replacing: Bool) -> LogDestination {
    LogDestination { FileOutput(path: path, format: format, rotation: .never, replaces: replacing) }
  }

  /// The last records, in memory.
  public static func memory(_ memory: LogMemory) -> LogDestination {
    records { memory.append($0) }
  }

  /// A closure that receives records, to connect another logging system.
  ///
  /// The closure is called by one thread at a time, in the order of the actions. Usually this is the writer's thread. A
  /// thread that flushes calls it too, and with ``LogQueue/Policy/wait`` a thread that dispatches while the queue is
  /// full. Only the first error that it throws is reported.
  public static func records(_ write: @escaping @Sendable (LogRecord) throws -> Void) -> LogDestination {
    LogDestination { ClosureOutput(receive: write) }
  }

  /// A closure that receives formatted text, without the last line end.
  public static func text(
    _ format: LogFormat, _ write: @escaping @Sendable (String) throws -> Void
  ) -> LogDestination {
    LogDestination {
      ClosureOutput { record in
        var text = format.text(of: record, isTerminal: false)
        // `removeLast()` of the text would also remove a carriage return before the line end.
        text.unicodeScalars.removeLast()
        try write(text)
      }
    }
  }

  /// Several destinations. If one fails, the others still get the records.
  public static func all(_ destinations: [LogDestination]) -> LogDestination {
    LogDestination { SeveralOutputs(outputs: destinations.map { FailureGuard($0.open(), report: $0.report) }) }
  }
}
