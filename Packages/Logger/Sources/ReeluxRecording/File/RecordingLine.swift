/// The layout of a recording's lines.
///
/// Each line is a JSON object that ends with its chain: a checksum of the line and of all lines before it. A line that was
/// changed, lost, repeated or moved breaks the chain.
enum RecordingLine {
  private static let before = Array(#","chain":""#.utf8)
  private static let after = Array(#""}"#.utf8)
  private static let length = before.count + 16 + after.count

  /// What stands at the beginning of a line and says what it is.
  enum Kind: String, CaseIterable {
    case action = "number"
    case snapshot = "snapshot"
    case end = "end"
  }

  /// Turns an object without its last brace into a line, and returns its chain.
  static func close(_ line: inout [UInt8], from begin: Int, after chain: UInt64) -> UInt64 {
    let next = line.withUnsafeBytes { self.chain(UnsafeRawBufferPointer(rebasing: $0[begin...]), after: chain) }
    line.append(contentsOf: before)
    line.append(contentsOf: Digest.text(next).utf8)
    line.append(contentsOf: after)
    line.append(0x0a)
    return next
  }

  /// The chain after a line's content.
  static func chain(_ content: UnsafeRawBufferPointer, after chain: UInt64) -> UInt64 {
    var digest = Digest(chain)
    digest.add(content)
    return digest.value
  }

  /// A line, split into its content and its chain; `nil` if it has no chain.
  static func split(_ line: UnsafeRawBufferPointer) -> (content: UnsafeRawBufferPointer, chain: UInt64)? {
    guard line.count > length else { return nil }
    let begin = line.count - length
    let tail = UnsafeRawBufferPointer(rebasing: line[begin...])
    guard tail.prefix(before.count).elementsEqual(before), tail.suffix(after.count).elementsEqual(after) else {
      return nil
    }
    var chain: UInt64 = 0
    for byte in tail[before.count..<(before.count + 16)] {
      switch byte {
      case 0x30...0x39: chain = chain << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: chain = chain << 4 | UInt64(byte - 0x61 + 10)
      default: return nil
      }
    }
    return (UnsafeRawBufferPointer(rebasing: line[..<begin]), chain)
  }

  /// What a line is, and its number.
  static func kind(_ line: UnsafeRawBufferPointer) -> (kind: Kind, number: Int)? {
    for kind in Kind.allCases {
      let name = Array("{\"\(kind.rawValue)\":".utf8)
      guard line.count > name.count, line.prefix(name.count).elementsEqual(name) else { continue }
      var number = 0
      for byte in line[name.count...] {
        guard (0x30...0x39).contains(byte), number < 1 << 50 else {
          return number > 0 || byte == 0x2c ? (kind, number) : nil
        }
        number = number * 10 + Int(byte - 0x30)
      }
      return (kind, number)
    }
    return nil
  }
}
