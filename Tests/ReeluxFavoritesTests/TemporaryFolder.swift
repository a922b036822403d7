import Foundation

/// A folder for one test. It is removed with its contents at the end.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("favorites-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The file with the favourites.
  var file: String { path + "/favorites.json" }

  /// The names in the folder except the lock file, sorted.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasSuffix(".lock") }.sorted()
    }
  }

  func write(_ text: String, to name: String = "favorites.json") throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  func text(of name: String = "favorites.json") throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
  }
}
