import Foundation
import Testing

@testable import MoviesApp

/// The settings of a new pseudo-terminal.
@Suite(.timeLimit(.minutes(15))) struct RawTerminalTests {
  private let descriptor: Int32
  private let terminal: RawTerminal

  init() throws {
    descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(isatty(descriptor) == 1)
    terminal = RawTerminal(input: descriptor, output: StandardStream(descriptor: descriptor))
  }

  /// Whether keys arrive one by one.
  private var isRaw: Bool {
    var settings = termios()
    return unsafe tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) == 0
  }

  @Test func aContinuedTerminalIsRawAgain() {
    defer { close(descriptor) }
    terminal.enter()
    #expect(isRaw)
    terminal.suspend { #expect(!isRaw) }
    #expect(isRaw)
    terminal.leave()
    #expect(!isRaw)
  }

  @Test func aTerminalThatAnotherProcessContinuedIsRestoredAtTheEnd() {
    defer { close(descriptor) }
    #expect(!terminal.resume())
    terminal.enter()
    #expect(terminal.resume())
    #expect(isRaw)
    terminal.suspend { #expect(!terminal.resume()) }
    terminal.leave()
    #expect(!isRaw)
    #expect(!terminal.resume())
    #expect(!isRaw)
  }

  @Test func aTerminalThatIsLeftWhileTheProcessStopsStaysAsBefore() {
    defer { close(descriptor) }
    terminal.enter()
    terminal.suspend { terminal.leave() }
    #expect(!isRaw)
  }

  @Test func aTerminalThatIsLeftBeforeTheProcessStopsStaysAsBefore() {
    defer { close(descriptor) }
    terminal.enter()
    terminal.leave()
    terminal.suspend {}
    #expect(!isRaw)
  }

  /// A signal can arrive while `browse` starts. The terminal must not be raw when the process has ended.
  @Test func noScreenOpensWhileTheProcessEnds() {
    defer { close(descriptor) }
    terminal.leave(processEnds: true)
    terminal.enter()
    #expect(!isRaw)
    terminal.leave()
    terminal.enter()
    #expect(!isRaw)
  }

  @Test func onlyAnOpenScreenIsDrawn() throws {
    defer { close(descriptor) }
    let pipe = Pipe()
    let terminal = RawTerminal(
      input: descriptor, output: StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor))
    terminal.draw("too early")
    terminal.enter()
    terminal.draw("first")
    terminal.suspend { terminal.draw("stopped") }
    terminal.draw("again")
    terminal.leave()
    terminal.draw("too late")
    try pipe.fileHandleForWriting.close()
    let output = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
    #expect(output.replacing(/\u{1B}\[[?0-9]*[a-z]/, with: "") == "firstagain")
  }
}
