import Foundation
import ReeluxCore
import ReeluxLogger

/// Files that are read as a whole.
enum InputFile {
  /// The name of a file in messages. The path `-` is standard input.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Whether there is a file, or a file that cannot be reached, for example because of the permissions of its folder.
  static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }

  /// Whether a path is that of standard input, a pipe or a device. Such an input has no name of its own.
  static func isStream(_ path: String) -> Bool { path == "-" || FileIdentity(path)?.holdsContent == false }

  /// Throws if the file is missing or a folder.
  static func check(_ path: String) throws(CommandFailure) {
    guard exists(path) else { throw CommandFailure("\(path): there is no such file", .missingInput) }
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandFailure("\(path): this is a folder; name a file in it", .missingInput)
    }
  }

  /// Throws if standard output goes to the file that the command reads.
  static func checkIsNoOutput(_ path: String) throws(CommandFailure) {
    let file = path == "-" ? FileIdentity(descriptor: STDIN_FILENO) : FileIdentity(path)
    guard let file, file.holdsContent, file == FileIdentity(descriptor: STDOUT_FILENO) else { return }
    throw CommandFailure(
      "\(name(path)): the command reads this file, and its output goes to the same file. Send the output to another "
        + "file.", .usage)
  }

  /// The content of a file or pipe. The path `-` is standard input.
  static func data(_ path: String) throws(CommandFailure) -> Data {
    try InputReader(path).rest()
  }
}

/// An open file or pipe. The path `-` is standard input.
struct InputReader: ~Copyable {
  private let path: String
  private let file: Int32

  init(_ path: String) throws(CommandFailure) {
    if path != "-" { try InputFile.check(path) }
    let file = unsafe path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw Self.failure(errno, of: path) }
    self.path = path
    self.file = file
  }

  deinit {
    if path != "-" { close(file) }
  }

  /// Returns the next bytes, or `nil` at the end. It waits only if a pipe or a terminal has no bytes yet.
  func next() throws(CommandFailure) -> [UInt8]? {
    let (bytes, error) = Descriptor.read(1 << 16, from: file)
    if error != 0 { throw Self.failure(error, of: path) }
    if bytes.isEmpty, path == "-" { SignalWatch.awaitReports() }
    return bytes.isEmpty ? nil : bytes
  }

  /// Returns all bytes up to the end.
  func rest() throws(CommandFailure) -> Data {
    var data = Data()
    while let bytes = try next() { data.append(contentsOf: bytes) }
    return data
  }

  private static func failure(_ error: Int32, of path: String) -> CommandFailure {
    CommandFailure("\(InputFile.name(path)): the file cannot be read: \(Descriptor.reason(error))", .missingInput)
  }
}
