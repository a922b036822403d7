import Foundation

extension ByteSource {
  /// A file, read in parts of 64 KB. It is opened when reading starts.
  ///
  /// - Parameter path: The path, which errors begin with.
  public static func file(_ path: String) -> ByteSource {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let size = attributes?[.size] as? Int
    return ByteSource(name: path, size: size) { () throws(ReadingError) -> Parts in
      let handle = try openFile(path)
      return { () throws(ReadingError) -> [UInt8] in
        do {
          return try handle.read(upToCount: 65_536).map { Array($0) } ?? []
        } catch {
          throw ReadingError(kind: .unreadable, input: path, reason: reason(of: error))
        }
      }
    }
  }

  private static func openFile(_ path: String) throws(ReadingError) -> FileHandle {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ReadingError(kind: .missing, input: path, reason: "there is no such file")
    }
    guard !isDirectory.boolValue else {
      throw ReadingError(kind: .unreadable, input: path, reason: "is a directory, not a file")
    }
    do {
      return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch {
      throw ReadingError(kind: .unreadable, input: path, reason: reason(of: error))
    }
  }

  private static func reason(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission: "the file may not be read (permission denied)"
    case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
    default: "the file cannot be read: \(error.localizedDescription)"
    }
  }
}
