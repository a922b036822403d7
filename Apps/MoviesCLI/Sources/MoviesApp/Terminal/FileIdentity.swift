import Foundation

/// The identity of a file, which does not depend on how its path is written. A missing file is identified by the
/// nearest folder that exists and the names below it.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// The missing names at the end of the path, below the folder that exists.
  private let missing: [String]
  /// Whether content can be lost: the file is missing or regular. A terminal, a pipe or a folder holds none.
  let holdsContent: Bool

  private init(_ status: stat, missing: [String]) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
    self.missing = missing
    holdsContent = !missing.isEmpty || status.st_mode & S_IFMT == S_IFREG
  }

  /// The identity of an open file; `nil` if the descriptor is closed.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status, missing: [])
  }

  /// The identity of the file at a path, after following links. `nil` if its links form a circle, or if it cannot be
  /// examined.
  init?(_ path: String) {
    var path = path
    var missing: [String] = []
    // A path has fewer names than this, unless its links form a circle.
    for _ in 0..<Int(PATH_MAX) {
      var status = stat()
      if unsafe stat(path, &status) == 0 {
        self.init(status, missing: missing)
        return
      }
      guard errno == ENOENT else { return nil }
      let (folder, name) = Self.parts(path)
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
        path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
      } else {
        missing.insert(name, at: 0)
        path = folder
      }
    }
    return nil
  }

  /// The folder and the name of the file that a path leads to, after following links at its end.
  static func place(of path: String) -> (folder: FileIdentity?, name: String) {
    var path = path
    for _ in 0..<40 {
      let (folder, name) = parts(path)
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return (FileIdentity(folder), name)
      }
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    return (nil, "")
  }

  /// The folder and the name that a path is written with.
  static func parts(_ path: String) -> (folder: String, name: String) {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return (".", String(path)) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
