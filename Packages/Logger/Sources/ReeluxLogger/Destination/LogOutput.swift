/// An open destination. Only one thread at a time uses it.
protocol LogOutput {
  /// The name for messages.
  var name: String { get }

  /// The number of records that were refused or lost.
  var failed: Int { get }

  /// Writes a record, or keeps it until ``flush(durably:)``.
  mutating func write(_ record: LogRecord) throws

  /// Writes all kept records. With `durably`, also syncs them to the disk if the output supports it.
  mutating func flush(durably: Bool) throws
}

/// An output that passes each record to a closure.
struct ClosureOutput: LogOutput {
  let name = "closure"
  let receive: @Sendable (LogRecord) throws -> Void
  private(set) var failed = 0

  init(receive: @escaping @Sendable (LogRecord) throws -> Void) {
    self.receive = receive
  }

  mutating func write(_ record: LogRecord) throws {
    do {
      try receive(record)
    } catch {
      failed += 1
      throw error
    }
  }

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
