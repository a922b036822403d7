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
  case enter, escape, tab, backspace, interrupt, suspend
}

/// A parser of the bytes that a terminal sends.
///
/// The terminal writes `ESC [ 200 ~` before pasted text and `ESC [ 201 ~` after it. So the characters of a paste are
/// not keys.
package struct ScreenKeyReader: Sendable {
  /// The number of consecutive pauses after which pasted text ends without its end mark. It is larger than 1, because a
  /// slow connection delivers a long text with pauses, and its rest must not be read as keys.
  static let pausesOfPaste = 10

  /// The largest number of bytes that are kept of pasted text. The rest is dropped.
  static let pasteLimit = 4096

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var waiting: [UInt8] = []

  /// The pasted bytes so far; `nil` outside of a paste.
  private var pasted: [UInt8]?

  /// The number of pauses since the last byte.
  private var pauses = 0

  package init() {}

  /// The keys in these bytes. An incomplete sequence is kept until its rest arrives, or until ``keysAfterPause()``
  /// drops it.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [ScreenKey] {
    waiting.append(contentsOf: bytes)
    pauses = 0
    var keys: [ScreenKey] = []
    while let (key, length) = next() {
      waiting.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The Escape key if only its byte is waiting. Other waiting bytes are dropped, because no terminal sends the rest of
  /// a sequence this late. After ``pausesOfPaste`` pauses, the pasted text whose end mark is missing.
  package mutating func keysAfterPause() -> [ScreenKey] {
    if let pasted {
      pauses += 1
      guard pauses >= Self.pausesOfPaste else { return [] }
      self.pasted = nil
      waiting.removeAll()
      return [.paste(Self.line(of: pasted))]
    }
    defer { waiting.removeAll() }
    return waiting == [0x1B] ? [.escape] : []
  }

  /// The first key and the number of its bytes. The key is `nil` for a sequence without a meaning.
  private mutating func next() -> (ScreenKey?, Int)? {
    if let pasted { return paste(after: pasted) }
    guard let first = waiting.first else { return nil }
    switch first {
    case 0x1B: return sequence()
    case 0x03: return (.interrupt, 1)
    case 0x1A: return (.suspend, 1)
    case 0x09: return (.tab, 1)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0..<0x20: return (nil, 1)
    default: return text(first)
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

  /// An escape sequence: CSI (`ESC [`) or SS3 (`ESC O`).
  private mutating func sequence() -> (ScreenKey?, Int)? {
    guard waiting.count > 1 else { return nil }
    guard waiting[1] == UInt8(ascii: "[") || waiting[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    // The Linux console sends `ESC [ [` and a letter for the keys F1 to F5, which have no meaning.
    if waiting.starts(with: "\u{1B}[[".utf8) { return waiting.count > 3 ? (nil, 4) : nil }
    guard let end = waiting.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // No sequence is this long, so the bytes are dropped.
      return waiting.count > 16 ? (nil, waiting.count) : nil
    }
    let parameters = String(decoding: waiting[2..<end], as: UTF8.self)
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
        default: nil
        }
      default: nil
      }
    return (key, end + 1)
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
