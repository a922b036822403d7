import Foundation
import Testing

/// The built executable, or another program, on a pseudo-terminal. Keys are sent when the program has shown the
/// expected text.
final class PseudoTerminal {
  /// The program's folder is removed with the program.
  private let program: MoviesProgram
  /// The reading thread also retains it. So its descriptor is closed, and the number is reused, only after the last
  /// read.
  private let main: FileHandle
  private let process = Process()
  private let ended: AsyncStream<Void>
  private var parts: AsyncStream<[UInt8]>.Iterator
  private let endReading: @Sendable () -> Void
  private var bytes: [UInt8] = []

  /// What the program has written so far. A character that was read in two parts is whole.
  var output: String { String(decoding: bytes, as: UTF8.self) }

  /// Starts the program on a terminal of this size. A process that another test starts at the same time must not
  /// inherit the terminal: the output would have no end before that process ends.
  init(
    _ program: MoviesProgram, _ arguments: [String], executable: URL = MoviesProgram.executable, columns: UInt16 = 80,
    rows: UInt16 = 24
  ) throws {
    let (descriptor, name) = try Self.open()
    let main = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.program = program
    self.main = main
    let other = unsafe Foundation.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(other, UInt(TIOCSWINSZ), &size)
    let handle = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = program.folder.url
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": program.folder.url.path, "XDG_DATA_HOME": program.dataDirectory,
      "LANG": "C.UTF-8", "TERM": "xterm-256color",
    ].merging(program.environment) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    self.ended = ended
    process.terminationHandler = { _ in continuation.finish() }
    let (parts, output) = AsyncStream<[UInt8]>.makeStream()
    self.parts = parts.makeAsyncIterator()
    endReading = { output.finish() }
    try process.run()
    try handle.close()
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        // When the program ends, it closes the other side, and reading fails.
        let count = unsafe Foundation.read(main.fileDescriptor, &bytes, bytes.count)
        guard count > 0 else { return output.finish() }
        output.yield(Array(bytes[..<count]))
      }
    }
  }

  /// A new pseudo-terminal: its main side, and the path of the other side.
  private static func open() throws -> (main: Int32, path: String) {
    #if canImport(Darwin)
      let main = posix_openpt(O_RDWR | O_NOCTTY)
      guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
        throw POSIXError(.ENODEV)
      }
      return (main, String(cString: name))
    #else
      // The calls behind `unlockpt` and `ptsname`, which the module of the C library does not contain (tty_ioctl(4)).
      let main = unsafe Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (isLocked, number): (Int32, Int32) = (0, 0)
      guard main >= 0, unsafe ioctl(main, 0x4004_5431, &isLocked) == 0,
        unsafe ioctl(main, 0x8004_5430, &number) == 0
      else {
        throw POSIXError(.ENODEV)
      }
      return (main, "/dev/pts/\(number)")
    #endif
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// What the program writes to close the full screen.
  static let leavesTheScreen = "\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"

  /// The lines that were written after the full screen was closed, without colours.
  var linesAfterTheScreen: [String] {
    guard let end = output.range(of: Self.leavesTheScreen, options: .backwards)?.upperBound else { return [] }
    return output[end...].split(whereSeparator: \.isNewline).map {
      String($0.replacing(/\u{1B}\[[0-9;]*m/, with: ""))
    }
  }

  /// Reads the output until it contains this text. Records an issue if the text does not appear in time.
  ///
  /// - Parameter start: The number of characters that are skipped.
  func wait(for text: String, after start: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) async {
    await read(until: { $0.dropFirst(start).contains(text) }) {
      Issue.record("the program did not write '\(text)'", sourceLocation: sourceLocation)
    }
  }

  /// Reads the output until it contains one of these texts.
  func wait(forOneOf texts: [String], sourceLocation: SourceLocation = #_sourceLocation) async {
    await read(until: { output in texts.contains { output.contains($0) } }) {
      Issue.record("the program did not write '\(texts[0])'", sourceLocation: sourceLocation)
    }
  }

  /// Types keys.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = unsafe write(main.fileDescriptor, bytes, bytes.count)
  }

  /// Gives the terminal another size.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(main.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Sends a signal to the process whose number is in this file of the program's folder.
  func signal(_ number: Int32, processIn file: String) throws {
    kill(try #require(pid_t(program.folder.text(file).trimmingCharacters(in: .newlines))), number)
  }

  /// Sends a signal to the program.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Reads the rest of the output. Returns the exit code, which is 128 plus the signal's number after a signal.
  func exitCode(sourceLocation: SourceLocation = #_sourceLocation) async -> Int32 {
    await read(until: { _ in false }) {
      Issue.record("the program did not end", sourceLocation: sourceLocation)
    }
    for await _ in ended {}
    return process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
  }

  /// Reads until the condition holds or the program ends. After ten minutes, the program is killed, and nothing more is
  /// read: a program that it has started may still have the terminal.
  private func read(until isEnough: (String) -> Bool, late: @escaping @Sendable () -> Void) async {
    let identifier = process.processIdentifier
    let guardian = DispatchWorkItem { [endReading] in
      late()
      kill(identifier, SIGKILL)
      endReading()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: guardian)
    while !isEnough(output), let part = await parts.next() { bytes += part }
    guardian.cancel()
  }
}
