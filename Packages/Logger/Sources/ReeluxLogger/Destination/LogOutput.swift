/// Where records go, opened: used by one thread at a time.
protocol LogOutput {
  /// What messages call it.
  var name: String { get }

  /// Takes a record; it may keep it until ``flush(durably:)``.
  mutating func write(_ record: LogRecord) throws

  /// Hands on everything that was kept; durably: until it would survive a power cut, where the output can do that.
  mutating func flush(durably: Bool) throws
}
