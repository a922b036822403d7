import Foundation
import Testing

/// The built executable, or another program, on a pseudo-terminal: keys go in when the program has shown what they answer.
final class PseudoTerminal {
  private let main: Int32
  private let process = Process()
  private let ended: AsyncStream<Void>
  private var parts: AsyncStream<String>.Iterator
  private(set) var output = ""

  /// Starts the program on a terminal of this size.
  init(
    _ program: MoviesProgram, _ arguments: [String], executable: URL = MoviesProgram.executable, columns: UInt16 = 80,
    rows: UInt16 = 24
  ) throws {
    let (main, name) = try Self.open()
    self.main = main
    let other = Foundation.open(name, O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(other, UInt(TIOCSWINSZ), &size)
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
    let (parts, output) = AsyncStream<String>.makeStream()
    self.parts = parts.makeAsyncIterator()
    try process.run()
    try handle.close()
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        // The end of the program closes the other side: reading fails then.
        let count = Foundation.read(main, &bytes, bytes.count)
        guard count > 0 else { return output.finish() }
        output.yield(String(decoding: bytes[..<count], as: UTF8.self))
      }
    }
  }

  /// A new pseudo-terminal: its main side, and the path of the other one.
  private static func open() throws -> (main: Int32, path: String) {
    #if canImport(Darwin)
      let main = posix_openpt(O_RDWR | O_NOCTTY)
      guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
        throw POSIXError(.ENODEV)
      }
      return (main, String(cString: name))
    #else
      // The calls behind `unlockpt` and `ptsname`, which the C library's module does not offer (tty_ioctl(4)).
      let main = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (isLocked, number): (Int32, Int32) = (0, 0)
      guard main >= 0, ioctl(main, 0x4004_5431, &isLocked) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
        throw POSIXError(.ENODEV)
      }
      return (main, "/dev/pts/\(number)")
    #endif
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(main)
  }

  /// Reads what the program writes until it has written this text; records an issue if that does not come in time.
  ///
  /// - Parameter start: How many characters of the output do not count.
  func wait(for text: String, after start: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) async {
    await read(until: { $0.dropFirst(start).contains(text) }) {
      Issue.record("the program did not write '\(text)'", sourceLocation: sourceLocation)
    }
  }

  /// Reads what the program writes until it has written one of these texts.
  func wait(forOneOf texts: [String], sourceLocation: SourceLocation = #_sourceLocation) async {
    await read(until: { output in texts.contains { output.contains($0) } }) {
      Issue.record("the program did not write '\(texts[0])'", sourceLocation: sourceLocation)
    }
  }

  /// Types keys.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(main, bytes, bytes.count)
  }

  /// Gives the terminal another size.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  /// Sends a signal to the program.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Reads the rest of the output and returns the exit code, 128 and the signal's number after a signal.
  func exitCode(sourceLocation: SourceLocation = #_sourceLocation) async -> Int32 {
    await read(until: { _ in false }) {
      Issue.record("the program did not end", sourceLocation: sourceLocation)
    }
    for await _ in ended {}
    return process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
  }

  /// Reads until it is enough, or until the program ends. After a minute the program is killed.
  private func read(until isEnough: (String) -> Bool, late: @escaping @Sendable () -> Void) async {
    let identifier = process.processIdentifier
    let guardian = DispatchWorkItem {
      late()
      kill(identifier, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: guardian)
    while !isEnough(output), let part = await parts.next() { output += part }
    guardian.cancel()
  }
}
