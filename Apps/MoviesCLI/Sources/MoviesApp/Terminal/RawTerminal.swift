import Dispatch
import Foundation
import ReeluxCore

/// The terminal while the full screen is open. Keys arrive one by one and without echo. At the end the previous screen
/// is restored.
///
/// The settings are static, because a process has one terminal.
enum RawTerminal {
  /// The original settings; `nil` while they are in effect.
  private static let before = Locked<termios?>(nil)

  /// Whether standard input and standard output are a terminal.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.output.isTerminal }

  /// Switches the terminal to raw keys and the alternate screen, hides the cursor, and lets the terminal mark pasted text.
  static func enter() {
    before.withLock { before in
      var settings = termios()
      guard before == nil, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      before = settings
      unsafe cfmakeraw(&settings)
      unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    StandardStream.output.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h", flush: true)
  }

  /// Restores the terminal. Does nothing if it is already restored. May be called on any thread, and while the process
  /// ends.
  static func leave() {
    let settings = before.withLock { before in
      defer { before = nil }
      return before
    }
    guard var settings else { return }
    StandardStream.output.write("\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l", flush: true)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores the terminal and stops the process, as ^Z does. Returns when the process continues.
  static func suspend() {
    leave()
    // The signal goes to this thread, so that the process stops before the next line. The thread may have been started
    // with the signal blocked. Without a shell that can continue the process, the process does not stop.
    var stop = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    raise(SIGTSTP)
    enter()
  }

  /// The size of the terminal; 80 x 24 if it is unknown.
  static var size: ScreenSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Reads keys on a new thread until the input ends or `isOpen` returns `false`.
  ///
  /// - Parameters:
  ///   - isOpen: Called at least ten times a second.
  ///   - press: Called with each key, on that thread.
  static func readKeys(while isOpen: @escaping @Sendable () -> Bool, press: @escaping @Sendable (ScreenKey?) -> Void) {
    Thread.detachNewThread {
      var reader = ScreenKeyReader()
      while isOpen() {
        var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = Descriptor.retrying { unsafe poll(&wanted, 1, 100) }
        if ready == 0 {
          for key in reader.keysAfterPause() { press(key) }
          continue
        }
        guard ready > 0 else {
          if errno == EAGAIN { continue }
          return press(nil)
        }
        // What is typed after the screen is closed is for the shell.
        guard isOpen() else { return }
        let (bytes, error) = Descriptor.read(1024, from: STDIN_FILENO)
        if error == EAGAIN { continue }
        if bytes.isEmpty { return press(nil) }
        for key in reader.keys(in: bytes) { press(key) }
      }
    }
  }

  /// Calls `resized` when the size changes, until the returned source is cancelled.
  static func watchSize(_ resized: @escaping @Sendable (ScreenSize) -> Void) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global(qos: .userInitiated))
    source.setEventHandler { resized(size) }
    source.resume()
    return source
  }
}
