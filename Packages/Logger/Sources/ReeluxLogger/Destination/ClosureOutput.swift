/// Hands each record to a closure.
struct ClosureOutput: LogOutput {
  let name = "closure"
  let receive: @Sendable (LogRecord) throws -> Void

  func write(_ record: LogRecord) throws { try receive(record) }

  func flush(durably: Bool) {}
}

/// Hands each record to several outputs, each with its own report of failures.
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
