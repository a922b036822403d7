import Foundation

/// A directory that is removed with the last reference.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "recording-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func lines(_ name: String) throws -> [String] {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
