import Dispatch
import Foundation
import ReeluxCore
import ReeluxLogger

/// The terminal of the full screen. While the screen is open, keys arrive one by one and without echo. At the end the
/// previous screen is restored.
final class RawTerminal: Sendable {
  private enum Phase {
    /// No screen is open. If the process ends, none opens any more.
    case closed(processEnds: Bool)
    /// The screen is open. The value holds the settings of the terminal from before it opened.
    case open(termios)
    /// Nothing is drawn until the process continues in the foreground. The value holds the settings of the terminal
    /// from before the screen opened, if they were not restored.
    case suspended(termios?)
  }

  /// The terminal of the process.
  static let standard = RawTerminal(input: STDIN_FILENO, output: .output)

  private let input: Int32
  private let output: StandardStream
  private let phase = Locked(Phase.closed(processEnds: false))
  /// The messages that arrived while the screen was open.
  private let held = Locked<[String]>([])

  init(input: Int32, output: StandardStream) {
    self.input = input
    self.output = output
  }

  /// Switches the terminal to raw keys and the alternate screen, hides the cursor, and lets the terminal mark pasted
  /// text. Does nothing if the process ends.
  func enter() {
    phase.withLock { if case .closed(processEnds: false) = $0 { $0 = .suspended(nil) } }
    reopen()
  }

  /// Restores the terminal. Does nothing if it is already restored. May be called on any thread.
  ///
  /// - Parameter processEnds: Whether a signal ends the process. A command that is just starting must not open the
  ///   screen then.
  func leave(processEnds: Bool = false) {
    phase.withLock { phase in
      if case .closed(processEnds: true) = phase { return }
      close(&phase, next: .closed(processEnds: processEnds))
    }
    let messages = held.withLock { held in
      defer { held = [] }
      return held
    }
    for message in messages { StandardStream.error.write(message) }
  }

  /// Writes a message to standard error, after the screen is closed.
  func report(_ message: String) {
    let isClosed = phase.withLock { phase in
      if case .closed = phase { return true }
      held.withLock { $0.append(message) }
      return false
    }
    if isClosed { StandardStream.error.write(message, flush: true) }
  }

  /// Restores the terminal and stops the process, as ^Z does. Returns when the process continues. Then the screen opens
  /// again, unless another thread has called ``leave(processEnds:)``.
  func suspend(by stop: () -> Void = RawTerminal.stop) {
    phase.withLock { if case .open = $0 { close(&$0, next: .suspended(nil)) } }
    stop()
    reopen()
  }

  /// Opens the screen again after another process has stopped and continued this one. The shell may have changed the
  /// settings and the screen meanwhile. Returns `false` if the screen was not open, as while ``suspend(by:)`` waits.
  func resume() -> Bool {
    let wasOpen = phase.withLock { phase in
      guard case .open(let settings) = phase else { return false }
      if isInBackground { phase = .suspended(settings) } else { open(&phase, restoring: settings) }
      return true
    }
    if wasOpen { reopen() }
    return wasOpen
  }

  /// Opens the screen when the process is in the foreground. Does nothing if another thread has called
  /// ``leave(processEnds:)``.
  private func reopen() {
    while isInBackground, phase.withLock({ if case .suspended = $0 { true } else { false } }) {
      // The thread that ends the process after a signal gets time before the process stops again.
      Thread.sleep(forTimeInterval: 0.05)
      Self.stop()
    }
    phase.withLock { if case .suspended(let settings) = $0 { open(&$0, restoring: settings) } }
  }

  /// Whether another process group has the terminal. The result is 0 if that group is in another container.
  private var isInBackground: Bool {
    let foreground = tcgetpgrp(input)
    return foreground > 0 && foreground != getpgrp()
  }

  /// Writes text to the screen. Does nothing while the previous screen is shown, so that the text of a shell stays.
  func draw(_ text: String) {
    phase.withLock { if case .open = $0 { output.write(text, flush: true) } }
  }

  private func open(_ phase: inout Phase, restoring earlier: termios?) {
    var settings = termios()
    guard unsafe tcgetattr(input, &settings) == 0 else { return }
    phase = .open(earlier ?? settings)
    unsafe cfmakeraw(&settings)
    unsafe tcsetattr(input, TCSANOW, &settings)
    // A process that was stopped from outside did not leave the screen. Leaving it first keeps the cursor that the
    // first entry saved.
    let leaving = earlier == nil ? "" : "\u{1B}[?1049l"
    // A line does not wrap: a terminal may give a character more columns than the grid does.
    output.write(leaving + "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?2004h", flush: true)
  }

  private func close(_ phase: inout Phase, next: Phase) {
    if case .open(var settings) = phase {
      output.write("\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l", flush: true)
      unsafe tcsetattr(input, TCSANOW, &settings)
    }
    phase = next
  }

  /// Stops the process until it is continued.
  private static func stop() {
    // The signal goes to this thread, so that the process stops before the next line. The thread may have been started
    // with the signal blocked. Without a shell that can continue the process, the process does not stop.
    var stop = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    SignalWatch.raisePastWatches(SIGTSTP)
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
  ///   - press: Called with each key, on that thread. Called with `nil` when the input has ended or cannot be read.
  static func readKeys(while isOpen: @escaping @Sendable () -> Bool, press: @escaping @Sendable (ScreenKey?) -> Void) {
    Thread.detachNewThread {
      var reader = ScreenKeyReader()
      var refusals = 0
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
        // Keys that are typed after the screen has closed are left for the shell.
        guard isOpen() else { return }
        let (bytes, error) = Descriptor.read(1024, from: STDIN_FILENO)
        if error == EAGAIN { continue }
        if error == EIO, standard.isInBackground, refusals < 40 {
          // The process was continued in the background, where it stops soon. Without a shell, it cannot stop.
          refusals += 1
          Thread.sleep(forTimeInterval: 0.05)
          continue
        }
        refusals = 0
        if bytes.isEmpty { return press(nil) }
        for key in reader.keys(in: bytes) { press(key) }
      }
    }
  }

  /// Calls `changed` when the process receives a signal, until the returned source is cancelled. `SIGWINCH` means that
  /// the size has changed, and `SIGCONT` that the process has been stopped and continues.
  static func watch(_ signal: Int32, _ changed: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: signal, queue: .global(qos: .userInitiated))
    source.setEventHandler(handler: changed)
    source.resume()
    return source
  }

  /// Calls `stop` when another process asks this one to stop, as `kill -TSTP` does, until `isOpen` returns `false`. ^Z
  /// is a key, and not such a request.
  static func watchStop(while isOpen: @escaping @Sendable () -> Bool, _ stop: @escaping @Sendable () -> Void) {
    SignalWatch.begin([SIGTSTP]) { _ in
      // The thread of the watch must remain free for the signals that end the process.
      Thread.detachNewThread {
        stop()
        if isOpen() { watchStop(while: isOpen, stop) }
      }
    }
  }
}
