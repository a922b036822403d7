/// An opened destination. One thread at a time uses it.
protocol LogOutput {
  /// Its name in messages.
  var name: String { get }

  /// Takes a record; it may keep it until ``flush(durably:)``.
  mutating func write(_ record: LogRecord) throws

  /// Writes all kept records; with `durably`, also syncs them to the disk, if the output can.
  mutating func flush(durably: Bool) throws
}

/// Passes each record to a closure.
struct ClosureOutput: LogOutput {
  let name = "closure"
  let receive: @Sendable (LogRecord) throws -> Void

  func write(_ record: LogRecord) throws { try receive(record) }

  func flush(durably: Bool) {}
}

/// Passes each record to several outputs. Each reports its own failures.
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
