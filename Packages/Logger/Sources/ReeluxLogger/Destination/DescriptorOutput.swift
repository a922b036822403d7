internal import Foundation

/// An output to an open descriptor. The output does not close the descriptor.
struct DescriptorOutput: LogOutput {
  let descriptor: Int32
  let name: String
  let format: LogFormat
  private let isTerminal: Bool
  private var buffer = RecordBuffer()

  init(descriptor: Int32, name: String, format: LogFormat) {
    self.descriptor = descriptor
    self.name = name
    self.format = format
    isTerminal = isatty(descriptor) == 1
  }

  var failed: Int { buffer.failed }

  mutating func write(_ record: LogRecord) throws {
    buffer.append(format.bytes(of: record, isTerminal: isTerminal))
    if buffer.isFull { try flush(durably: false) }
  }

  mutating func flush(durably: Bool) throws {
    if let error = buffer.write(to: descriptor).error { throw error }
  }
}
