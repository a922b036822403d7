/// Where a reader's bytes come from: a file, or something in memory. It can be opened several times.
public struct ByteSource: Sendable {
  /// The parts of an opened source, in order; an empty part is the end.
  typealias Parts = () throws(ReadingError) -> [UInt8]

  /// The name that errors begin with.
  public let name: String
  /// The number of bytes, where it is known.
  let size: Int?
  /// Starts at the first byte.
  let open: @Sendable () throws(ReadingError) -> Parts

  /// Bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name that errors begin with.
  public static func bytes(_ bytes: [UInt8], name: String = "input") -> ByteSource {
    ByteSource(name: name, size: bytes.count) { () throws(ReadingError) -> Parts in
      var rest: [UInt8]? = bytes
      return { () throws(ReadingError) -> [UInt8] in
        defer { rest = nil }
        return rest ?? []
      }
    }
  }

  /// A text in memory.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - name: The name that errors begin with.
  public static func text(_ text: String, name: String = "input") -> ByteSource {
    bytes(Array(text.utf8), name: name)
  }
}
