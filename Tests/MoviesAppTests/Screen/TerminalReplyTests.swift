import Testing

@testable import MoviesApp

/// Answers of a terminal that arrive among the keys, and keys that a terminal sends as codes.
@Suite(.timeLimit(.minutes(15))) struct TerminalReplyTests {
  private func keys(_ text: String) -> [ScreenKey] {
    var reader = ScreenKeyReader()
    return reader.keys(in: Array(text.utf8))
  }

  private static let replies = [
    "\u{1B}P>|tmux 3.3a\u{1B}\\", "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", "\u{1B}]10;rgb:ff/ff/ff\u{7}",
    "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}^a q\u{1B}\\", "\u{1B}Xa q\u{1B}\\", "\u{1B}[M !!", "\u{1B}[?62;22c",
    "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28;29c", "\u{1B}\\",
  ]

  @Test(arguments: replies)
  func anAnswerOfTheTerminalTypesNoKey(reply: String) {
    #expect(keys("a\(reply)b") == [.text("a"), .text("b")])
  }

  @Test(arguments: replies)
  func anAnswerInPiecesTypesNoKey(reply: String) {
    let bytes = Array(reply.utf8)
    for place in 1..<bytes.count {
      var reader = ScreenKeyReader()
      let found = reader.keys(in: bytes[..<place]) + reader.keys(in: bytes[place...]) + reader.keys(in: Array("b".utf8))
      #expect(found == [.text("b")], "\(place)")
    }
  }

  @Test func anAnswerWithAPauseInItsTextTypesNoKey() {
    var reader = ScreenKeyReader()
    #expect(reader.keys(in: Array("\u{1B}]11;rgb:1e".utf8)) == [])
    #expect(reader.keysAfterPause() == [])
    #expect(reader.keys(in: Array("1e/ q\u{1B}".utf8)) == [])
    #expect(reader.keysAfterPause() == [])
    #expect(reader.keys(in: Array("\\b".utf8)) == [.text("b")])
  }

  @Test func anAnswerWithoutAnEndLeavesLaterKeys() {
    var reader = ScreenKeyReader()
    #expect(reader.keys(in: Array("\u{1B}]11;".utf8)) == [])
    // Keys that are typed meanwhile do not extend the wait.
    for _ in 1..<ScreenKeyReader.pausesOfPaste {
      #expect(reader.keysAfterPause() == [])
      #expect(reader.keys(in: Array("g".utf8)) == [])
    }
    #expect(reader.keysAfterPause() == [])
    #expect(reader.keys(in: Array("q".utf8)) == [.text("q")])
  }

  @Test func anAnswerHasALimit() {
    let text = String(repeating: "g", count: 4096)
    #expect(keys("\u{1B}]\(text)q") == [.text("q")])
  }

  @Test func anotherSequenceOrInterruptEndsAnAnswer() {
    #expect(keys("\u{1B}]11;g\u{3}q") == [.interrupt, .text("q")])
    #expect(keys("\u{1B}]11;g\u{1A}") == [.suspend])
    #expect(keys("\u{1B}]11;g\u{1B}[Aq") == [.up, .text("q")])
    #expect(keys("\u{1B}P1\u{1B}]2;g\u{7}q") == [.text("q")])
  }

  @Test func aBracketWithAltIsEscapeAndTheBracketAfterAPause() {
    var reader = ScreenKeyReader()
    #expect(reader.keys(in: Array("\u{1B}]".utf8)) == [])
    #expect(reader.keysAfterPause() == [.escape, .text("]")])
    #expect(reader.keys(in: Array("q".utf8)) == [.text("q")])
  }

  @Test func keysThatAreSentAsCodesAreKeys() {
    #expect(keys("\u{1B}[99;5u\u{1B}[27;5;99~") == [.interrupt, .interrupt])
    #expect(keys("\u{1B}[122;5u\u{1B}[27;5;122~") == [.suspend, .suspend])
    #expect(keys("\u{1B}[108;5u\u{1B}[27;5;108~") == [.redraw, .redraw])
    #expect(
      keys("\u{1B}[113u\u{1B}[113;1u\u{1B}[32;1u\u{1B}[233u") == [.text("q"), .text("q"), .text(" "), .text("é")])
    #expect(keys("\u{1B}[27u\u{1B}[13u\u{1B}[9u\u{1B}[127u") == [.escape, .enter, .tab, .backspace])
    // Num lock and caps lock are no modifiers of a command.
    #expect(keys("\u{1B}[113;129u\u{1B}[99;69u") == [.text("q"), .interrupt])
  }

  @Test func codesWithoutAMeaningTypeNoKey() {
    // The state of the protocol, Alt and q, Control and q, a modifier alone, the release of q and of an arrow.
    for text in ["[?1u", "[113;3u", "[113;5u", "[57441u", "[113;1:3u", "[1;1:3A", "[27;5~", "[99999999999u", "[55296u"]
    {
      #expect(keys("\u{1B}\(text)") == [], "\(text)")
    }
  }
}
