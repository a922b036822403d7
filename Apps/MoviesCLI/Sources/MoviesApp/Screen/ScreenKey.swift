/// A key that was pressed.
package enum ScreenKey: Codable, Hashable, Sendable {
  /// A key that writes this text.
  case text(String)
  /// Pasted text, in one line and without control characters.
  case paste(String)
  /// The arrow keys.
  case up, down, left, right
  /// Page up, page down, and the keys for the beginning and the end.
  case pageUp, pageDown, home, end
  /// The other keys that have a meaning.
  case enter, escape, tab, backspace, interrupt, suspend, redraw
}

/// A parser of the bytes that a terminal sends.
///
/// The terminal writes `ESC [ 200 ~` before pasted text and `ESC [ 201 ~` after it. So the characters of a paste are
/// not keys. The terminal's answers to questions are not keys either, and they are skipped. They can arrive late, and
/// another program may have asked.
package struct ScreenKeyReader: Sendable {
  /// The number of consecutive pauses after which pasted text ends without its end mark. It is larger than 1, because a
  /// slow connection delivers a long text with pauses, and its rest must not be read as keys.
  static let pausesOfPaste = 10

  /// The largest number of bytes that are kept of pasted text. The rest is dropped.
  static let pasteLimit = 4096

  /// The largest number of bytes of an answer that are skipped. The bytes after them are keys.
  static let answerLimit = 4096

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// The bytes that begin an answer after an escape: DCS, SOS, OSC, PM and APC.
  private static let answerStarts = Array("PX]^_".utf8)

  /// The bytes that end an answer: ^C, BEL, CAN, ^Z and ESC.
  private static let answerEnds: [UInt8] = [0x03, 0x07, 0x18, 0x1A, 0x1B]

  private var waiting: [UInt8] = []

  /// The pasted bytes so far; `nil` outside of a paste.
  private var pasted: [UInt8]?

  /// The number of bytes of an answer that were skipped; `nil` outside of an answer.
  private var skipped: Int?

  /// The number of pauses since the last byte. In an answer, the number of pauses since its beginning, because keys
  /// that are typed meanwhile must not extend the wait for its end.
  private var pauses = 0

  package init() {}

  /// The keys in these bytes. An incomplete sequence is kept until its rest arrives, or until ``keysAfterPause()``
  /// drops it.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [ScreenKey] {
    waiting.append(contentsOf: bytes)
    if skipped == nil { pauses = 0 }
    var keys: [ScreenKey] = []
    while let (key, length) = next() {
      waiting.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The Escape key if only its byte is waiting. With the byte that begins an answer, Escape and the key of that byte:
  /// the user has pressed them together with Alt. Other waiting bytes are dropped, because no terminal sends the rest
  /// of a sequence this late. After ``pausesOfPaste`` pauses, an answer without an end is over, and pasted text whose
  /// end mark is missing is returned.
  package mutating func keysAfterPause() -> [ScreenKey] {
    if skipped != nil {
      pauses += 1
      guard pauses >= Self.pausesOfPaste else { return [] }
      skipped = nil
    }
    if let pasted {
      pauses += 1
      guard pauses >= Self.pausesOfPaste else { return [] }
      self.pasted = nil
      waiting.removeAll()
      return [.paste(Self.line(of: pasted))]
    }
    defer { waiting.removeAll() }
    guard waiting.first == 0x1B, waiting.count <= 2 else { return [] }
    guard let second = waiting.dropFirst().first else { return [.escape] }
    return Self.answerStarts.contains(second) ? [.escape, .text(String(Unicode.Scalar(second)))] : []
  }

  /// The first key and the number of its bytes. The key is `nil` for a sequence without a meaning.
  private mutating func next() -> (ScreenKey?, Int)? {
    if let pasted { return paste(after: pasted) }
    if let skipped { return answer(after: skipped) }
    guard let first = waiting.first else { return nil }
    if first == 0x1B { return sequence() }
    return first < 0x20 || first == 0x7F ? (Self.control(first), 1) : text(first)
  }

  /// The key of a control character.
  private static func control(_ code: UInt8) -> ScreenKey? {
    switch code {
    case 0x03: .interrupt
    case 0x0C: .redraw
    case 0x1A: .suspend
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    case 0x1B: .escape
    default: nil
    }
  }

  /// One UTF-8 character. Invalid bytes are dropped.
  private func text(_ first: UInt8) -> (ScreenKey?, Int)? {
    let length =
      switch first {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    if length == 0 { return (nil, 1) }
    guard waiting.count >= length else {
      return waiting.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 } ? nil : (nil, 1)
    }
    guard let text = String(validating: waiting.prefix(length), as: UTF8.self) else { return (nil, 1) }
    return (.text(text), length)
  }

  /// An escape sequence: CSI (`ESC [`), SS3 (`ESC O`), or the beginning of an answer.
  private mutating func sequence() -> (ScreenKey?, Int)? {
    guard waiting.count > 1 else { return nil }
    if Self.answerStarts.contains(waiting[1]) {
      guard waiting.count > 2 else { return nil }
      (skipped, pauses) = (0, 0)
      return (nil, 2)
    }
    // The end of an answer that was too long or too late.
    if waiting[1] == UInt8(ascii: "\\") { return (nil, 2) }
    guard waiting[1] == UInt8(ascii: "[") || waiting[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    // The Linux console sends `ESC [ [` and a letter for the keys F1 to F5, which have no meaning.
    if waiting.starts(with: "\u{1B}[[".utf8) { return waiting.count > 3 ? (nil, 4) : nil }
    guard let end = waiting.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // No sequence is this long, so the bytes are dropped.
      return waiting.count > 128 ? (nil, waiting.count) : nil
    }
    // The old report of a mouse has three bytes after its end: the button, the column and the row.
    if end == 2, waiting.starts(with: "\u{1B}[M".utf8) { return waiting.count > 5 ? (nil, 6) : nil }
    let parameters = String(decoding: waiting[2..<end], as: UTF8.self)
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
    // A release is not a key: `1:3` means no modifier and the event 3.
    if numbers.count > 1, numbers[1].hasSuffix(":3") { return (nil, end + 1) }
    let key: ScreenKey? =
      switch waiting[end] {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      case UInt8(ascii: "C"): .right
      case UInt8(ascii: "D"): .left
      case UInt8(ascii: "H"): .home
      case UInt8(ascii: "F"): .end
      case UInt8(ascii: "~"):
        switch parameters {
        case "1", "7": .home
        case "4", "8": .end
        case "5": .pageUp
        case "6": .pageDown
        case "200": beginPaste()
        // `27 ; modifiers ; code ~` is a key with modifiers in the protocol of xterm.
        default: numbers.count == 3 && numbers[0] == "27" ? Self.key(code: numbers[2], modifiers: numbers[1]) : nil
        }
      // `code ; modifiers u` is a key in the protocol of kitty.
      case UInt8(ascii: "u"): Self.key(code: numbers[0], modifiers: numbers.count > 1 ? numbers[1] : "1")
      default: nil
      }
    return (key, end + 1)
  }

  /// The key with this Unicode number. The modifiers are bits, plus 1. Each number can have further ones after a colon.
  private static func key(code: Substring, modifiers: Substring) -> ScreenKey? {
    func first(_ numbers: Substring) -> UInt32? { UInt32(numbers.prefix { $0 != ":" }) }
    guard let code = first(code), let scalar = Unicode.Scalar(code), let modifiers = first(modifiers), modifiers > 0
    else { return nil }
    // Caps lock (64) and num lock (128) do not count.
    switch (modifiers - 1) & ~(64 | 128) {
    case 0:
      if code < 0x20 || code == 0x7F { return control(UInt8(code)) }
      // The keys without a character have numbers for private use.
      return scalar.properties.generalCategory == .privateUse || code < 0xA0 && code > 0x7F
        ? nil : .text(String(scalar))
    // Control and a letter.
    case 4: return (0x61...0x7A).contains(code) ? control(UInt8(code & 0x1F)) : nil
    default: return nil
    }
  }

  /// The bytes of an answer up to its end: `ESC \` or BEL. Another sequence, ^C and ^Z end it too, and are read next.
  private mutating func answer(after skipped: Int) -> (ScreenKey?, Int)? {
    let rest = waiting.prefix(Self.answerLimit - skipped)
    let length = rest.firstIndex { Self.answerEnds.contains($0) } ?? rest.count
    self.skipped = skipped + length
    guard length < rest.count else {
      if skipped + length >= Self.answerLimit { self.skipped = nil }
      return length > 0 || self.skipped == nil ? (nil, length) : nil
    }
    switch waiting[length] {
    case 0x07, 0x18:
      self.skipped = nil
      return (nil, length + 1)
    case 0x1B:
      // The byte after the escape tells whether it is the end.
      guard length + 1 < waiting.count else { return length > 0 ? (nil, length) : nil }
      self.skipped = nil
      return (nil, waiting[length + 1] == UInt8(ascii: "\\") ? length + 2 : length)
    default:
      self.skipped = nil
      return (nil, length)
    }
  }

  /// Begins a pasted text. Returns `nil`, because this is not a key.
  private mutating func beginPaste() -> ScreenKey? {
    pasted = []
    return nil
  }

  /// The pasted text up to its end mark. Without the mark, all bytes but its possible beginning are taken.
  private mutating func paste(after pasted: [UInt8]) -> (ScreenKey?, Int)? {
    let mark = waiting.firstRange(of: Self.pasteEnd)
    let begun = (1..<Self.pasteEnd.count).last { waiting.suffix($0) == Self.pasteEnd.prefix($0) } ?? 0
    let length = mark?.lowerBound ?? waiting.count - begun
    guard mark != nil || length > 0 else { return nil }
    let text = pasted + waiting.prefix(min(length, Self.pasteLimit - pasted.count))
    self.pasted = mark == nil ? text : nil
    return mark.map { (.paste(Self.line(of: text)), $0.upperBound) } ?? (nil, length)
  }

  /// The text in one line: a line end or tab becomes a blank. Other control characters and invalid bytes are dropped.
  private static func line(of bytes: [UInt8]) -> String {
    var line = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      // The two characters of one line end become one blank.
      case "\n" where last == "\r": break
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": line.append(" ")
      case "\u{FFFD}": break
      default: if scalar.properties.generalCategory != .control { line.append(scalar) }
      }
      last = scalar
    }
    return String(line)
  }
}
