import Foundation

/// A check that a file which is read as a whole is there.
enum InputFile {
  /// Says so when it is missing, or a folder.
  static func check(_ path: String) throws(CommandFailure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandFailure("\(path): there is no such file", .missingInput)
    }
    if isFolder.boolValue { throw CommandFailure("\(path): this is a folder", .missingInput) }
  }
}
