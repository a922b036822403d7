/// An output with a count of its failures. The first failure is reported on standard error.
struct FailureGuard {
  private var output: any LogOutput
  /// The number of records that the output refused.
  private(set) var failed = 0
  private var written = 0
  private var unflushed = 0
  private var hasReported = false
  private let report: @Sendable (String) -> Void

  init(_ output: any LogOutput, report: @escaping @Sendable (String) -> Void = StandardError.write) {
    self.output = output
    self.report = report
  }

  /// The number of refused records, including those of the outputs in ``SeveralOutputs``.
  var total: Int { failed + ((output as? SeveralOutputs)?.failed ?? 0) }

  mutating func write(_ record: LogRecord) {
    do {
      try output.write(record)
      unflushed += 1
    } catch {
      failed += 1
      tell(error)
    }
  }

  mutating func flush(durably: Bool) {
    do {
      try output.flush(durably: durably)
    } catch {
      failed += unflushed
      tell(error)
    }
    unflushed = 0
  }

  private mutating func tell(_ error: any Error) {
    guard !hasReported else { return }
    hasReported = true
    report("warning: the log cannot be written to \(output.name): \(error). The program continues without it.\n")
  }
}
