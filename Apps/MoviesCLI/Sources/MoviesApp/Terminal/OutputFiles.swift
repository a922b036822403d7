import Foundation
import ReeluxCore

/// The files that a command writes. None of them is a file that the command reads, a file of the favourites, or the
/// file of another option.
struct OutputFiles: Sendable {
  /// The paths that the command reads. Standard input is always one of them.
  let inputs: [String]

  /// The folder of the favourites. Their files, the locks and the copies there are never an output.
  let dataDirectory: String

  /// The outputs so far.
  private var claimed: [(option: String, file: FileIdentity)] = []

  init(inputs: [String], dataDirectory: String) {
    self.inputs = inputs
    self.dataDirectory = dataDirectory
  }

  /// Adds an output. Throws if it is a file that must not be written.
  ///
  /// - Parameter exempt: An input that the command itself protects with a more specific message.
  mutating func claim(_ path: String, for option: String, exempt: String? = nil) throws(CommandFailure) {
    guard let file = FileIdentity(path), file.holdsContent else { return }
    let files = inputs.filter { $0 != exempt && $0 != "-" }
    let read = files.map { FileIdentity($0) } + [FileIdentity(descriptor: STDIN_FILENO)]
    if read.contains(file) { throw Self.isRead(path) }
    if isFavorites(path, file) {
      throw CommandFailure(
        "\(path): this is a file of the favourites and is not replaced. Choose another file.", .inputOutput)
    }
    if let other = claimed.first(where: { $0.file == file }) {
      throw CommandFailure(
        "\(path): \(other.option) and \(option) name this file. Choose another file for one of them.", .usage)
    }
    claimed.append((option, file))
  }

  /// The failure for an output that is also an input.
  static func isRead(_ path: String) -> CommandFailure {
    CommandFailure("\(path): the command reads this file and does not replace it. Choose another file.", .inputOutput)
  }

  /// Whether a file in the data directory belongs to the favourites of any catalogue, or is a link to such a file.
  private func isFavorites(_ path: String, _ file: FileIdentity) -> Bool {
    let place = FileIdentity.place(of: path)
    if Self.isFavorites(place.name), place.folder != nil, place.folder == FileIdentity(dataDirectory) { return true }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: dataDirectory)) ?? []
    return names.contains { Self.isFavorites($0) && FileIdentity("\(dataDirectory)/\($0)") == file }
  }

  /// Whether the name is that of favourites, or of a lock, a copy or a temporary file beside them.
  private static func isFavorites(_ name: String) -> Bool {
    name.prefixMatch(of: #/favorites(-.*)?\.json(\.|$)/#) != nil
  }
}

/// Checks of a file that a command will write, before the command does any work. They change nothing.
enum WritableFile {
  /// Throws if the file cannot be written or created.
  static func check(_ path: String) throws(CommandFailure) {
    guard let error = obstacle(path) else { return }
    throw CommandFailure("\(path): \(reason(error))", .inputOutput)
  }

  /// Throws if the file exists, unless it is empty or holds no content.
  static func checkIsNew(_ path: String) throws(CommandFailure) {
    var file = stat()
    guard unsafe stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_size > 0 else { return }
    throw CommandFailure(exists(path), .inputOutput)
  }

  /// The message about a file that is not replaced.
  static func exists(_ path: String) -> String {
    "\(path): the file exists already. Choose another file, or replace it with --force."
  }

  /// The reason why a file cannot be written, for an `errno`.
  private static func reason(_ error: Int32) -> String {
    error == EISDIR ? "this is a folder; name a file in it" : "the file cannot be written: \(Descriptor.reason(error))"
  }

  /// The error that a write would meet; `nil` if there is none.
  private static func obstacle(_ path: String) -> Int32? {
    var file = stat()
    if unsafe stat(path, &file) == 0 {
      if file.st_mode & S_IFMT == S_IFDIR { return EISDIR }
      return unsafe access(path, W_OK) == 0 ? nil : errno
    }
    guard errno == ENOENT else { return errno }
    if path.utf8.last == UInt8(ascii: "/") { return EISDIR }
    return unsafe access(FileIdentity.parts(path).folder, W_OK | X_OK) == 0 ? nil : errno
  }

  /// Throws if the path of a log leads to the file of standard output or standard error, and this stream does not
  /// append.
  static func checkIsNotOverwritten(_ path: String) throws(CommandFailure) {
    guard let file = FileIdentity(path), file.holdsContent else { return }
    for (descriptor, name) in [(STDOUT_FILENO, "output"), (STDERR_FILENO, "messages")]
    where file == FileIdentity(descriptor: descriptor) && fcntl(descriptor, F_GETFL) & O_APPEND == 0 {
      throw CommandFailure(
        "the log and the command's \(name) would overwrite each other in \(path). Name another file for --log-file, or "
          + "write '>>' in place of '>'.", .usage)
    }
  }

  /// Throws if a recording would be mixed with other output of the command: if the path is `-`, or leads to the file,
  /// pipe or terminal of standard output or standard error. `/dev/null` is allowed.
  static func checkIsNoOutput(_ path: String) throws(CommandFailure) {
    guard path != "-" else {
      throw CommandFailure(
        "--record - would mix the recording with the command's output. Name a file; './-' is a file of that name.",
        .usage)
    }
    guard let file = FileIdentity(path), file != FileIdentity("/dev/null") else { return }
    let isTerminal = file == FileIdentity("/dev/tty")
    for (descriptor, name) in [(STDOUT_FILENO, "output"), (STDERR_FILENO, "messages")]
    where file == FileIdentity(descriptor: descriptor) || isTerminal && isatty(descriptor) == 1 {
      throw CommandFailure(
        "--record \(path) would mix the recording with the command's \(name). Name a file, or send the \(name) "
          + "elsewhere.", .usage)
    }
  }
}
