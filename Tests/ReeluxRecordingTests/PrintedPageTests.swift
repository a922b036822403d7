import ReeluxLoggerTestSupport
import ReeluxRecording
import Testing

/// A page of a report can be printed on a terminal.
@Suite(.timeLimit(.minutes(15))) struct PrintedPageTests {
  @Test func noTextOfThePageControlsATerminal() throws {
    let text = "a\u{1B}]0;b\u{7}\u{9b}31m\u{202e}c"
    let recording = try ShopRecording([.add(text), .login(user: text, password: text)]).read()
    let html = try RecordingReport(recording, reducer: .shop, title: text).html
    let controls: [Unicode.GeneralCategory] = [.control, .format]
    #expect(!html.unicodeScalars.contains { $0 != "\n" && controls.contains($0.properties.generalCategory) })
    #expect(html.contains("<title>a\u{FFFD}]0;b"))
  }
}
