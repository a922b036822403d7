/// The layout of a recording's lines.
///
/// Each line is a JSON object whose last member is its chain: a checksum of this line and all lines before it. If a
/// line is changed, lost, repeated or moved, the chain does not match.
package enum RecordingLine {
  private static let before = Array(#","chain":""#.utf8)
  private static let after = Array(#""}"#.utf8)
  private static let length = before.count + 16 + after.count

  /// The kind of a line.
  enum Kind: CaseIterable {
    case action, snapshot, end

    /// The beginning of such a line.
    fileprivate var beginning: String.UTF8View {
      switch self {
      case .action: #"{"number":"#.utf8
      case .snapshot: #"{"snapshot":"#.utf8
      case .end: #"{"end":"#.utf8
      }
    }
  }

  /// Appends the chain, the closing brace and the line end to an object, and returns the chain.
  package static func close(_ line: inout [UInt8], from begin: Int, after chain: UInt64 = Digest().value) -> UInt64 {
    let next = self.chain(line[begin...], after: chain)
    line.append(contentsOf: before)
    line.append(contentsOf: Digest.text(next).utf8)
    line.append(contentsOf: after)
    line.append(0x0a)
    return next
  }

  /// The chain after a line with this content.
  static func chain(_ content: ArraySlice<UInt8>, after chain: UInt64) -> UInt64 {
    var digest = Digest(chain)
    digest.add(content)
    return digest.value
  }

  /// The content and the chain of a line; `nil` if it has no chain.
  static func split(_ line: ArraySlice<UInt8>) -> (content: ArraySlice<UInt8>, chain: UInt64)? {
    guard line.count > length else { return nil }
    let tail = line.suffix(length)
    guard tail.starts(with: before), tail.suffix(after.count).elementsEqual(after) else { return nil }
    var chain: UInt64 = 0
    for byte in tail.dropFirst(before.count).prefix(16) {
      switch byte {
      case 0x30...0x39: chain = chain << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: chain = chain << 4 | UInt64(byte - 0x61 + 10)
      default: return nil
      }
    }
    return (line.dropLast(length), chain)
  }

  /// Whether a line contains nothing but white space. Some editors add such lines at the end of a file.
  static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == 0x20 || (0x09...0x0d).contains($0) }
  }

  /// The kind and the number of a line.
  static func kind(_ line: ArraySlice<UInt8>) -> (kind: Kind, number: Int)? {
    for kind in Kind.allCases {
      let beginning = kind.beginning
      guard line.count > beginning.count, line.starts(with: beginning) else { continue }
      var number = 0
      for byte in line.dropFirst(beginning.count) {
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
