/// An output whose first failure is reported on standard error.
struct FailureGuard {
  private var output: any LogOutput
  private var hasReported = false
  private let report: @Sendable (String) -> Void

  init(_ output: any LogOutput, report: @escaping @Sendable (String) -> Void = StandardError.write) {
    self.output = output
    self.report = report
  }

  /// The number of records that the output refused.
  var failed: Int { output.failed }

  mutating func write(_ record: LogRecord) {
    do { try output.write(record) } catch { reportOnce(error) }
  }

  mutating func flush(durably: Bool) {
    do { try output.flush(durably: durably) } catch { reportOnce(error) }
  }

  private mutating func reportOnce(_ error: any Error) {
    guard !hasReported else { return }
    hasReported = true
    report("warning: the log cannot be written to \(output.name): \(error). The program continues.\n")
  }
}
