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
}
