internal import Foundation
import ReeluxCore

/// An output to an open descriptor. The output does not close the descriptor.
struct DescriptorOutput: LogOutput {
  let descriptor: Int32
  let name: String
  let format: LogFormat
  private let isTerminal: Bool
  private var buffer: [UInt8] = []

  init(descriptor: Int32, name: String, format: LogFormat) {
    self.descriptor = descriptor
    self.name = name
    self.format = format
    isTerminal = isatty(descriptor) == 1
  }

  mutating func write(_ record: LogRecord) throws {
    buffer.append(contentsOf: format.bytes(of: record, isTerminal: isTerminal))
    if buffer.count >= 1 << 16 { try flush(durably: false) }
  }

  mutating func flush(durably: Bool) throws {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    if let error = OutputError.write(Descriptor.write(buffer, to: descriptor).error) { throw error }
  }
}
