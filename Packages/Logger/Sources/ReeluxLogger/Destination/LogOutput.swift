/// An open destination. Only one thread at a time uses it.
protocol LogOutput {
  /// The name for messages.
  var name: String { get }

  /// Writes a record, or keeps it until ``flush(durably:)``.
  mutating func write(_ record: LogRecord) throws

  /// Writes all kept records. With `durably`, also syncs them to the disk if the output supports it.
  mutating func flush(durably: Bool) throws
}

/// An output that passes each record to a closure.
struct ClosureOutput: LogOutput {
  let name = "closure"
  let receive: @Sendable (LogRecord) throws -> Void

  func write(_ record: LogRecord) throws { try receive(record) }

  func flush(durably: Bool) {}
}

/// An output that passes each record to several outputs. Each of them reports its own failures.
struct SeveralOutputs: LogOutput {
  let name = "several destinations"
  var outputs: [FailureGuard]

  mutating func write(_ record: LogRecord) {
    for index in outputs.indices { outputs[index].write(record) }
  }

  mutating func flush(durably: Bool) {
    for index in outputs.indices { outputs[index].flush(durably: durably) }
  }

  var failed: Int { outputs.reduce(0) { $0 + $1.failed } }
}
