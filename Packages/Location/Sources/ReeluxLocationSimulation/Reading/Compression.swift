/// The compression format of a file.
package struct Compression: Sendable {
  /// The format, such as `gzip`.
  package let name: String
  /// The program that writes the content, such as `gzip -dc`.
  package let program: String

  private init(_ name: String, _ program: String) {
    self.name = name
    self.program = program
  }

  /// The format of a file that starts with these bytes; `nil` if it is not compressed.
  package init?(of start: some Sequence<UInt8>) {
    guard let known = Self.known.first(where: { start.starts(with: $0.start) }) else { return nil }
    self = known.format
  }

  private static let known: [(start: [UInt8], format: Compression)] = [
    ([0x1F, 0x8B], Compression("gzip", "gzip -dc")), ([0x50, 0x4B, 0x03, 0x04], Compression("zip", "unzip -p")),
    ([0x42, 0x5A, 0x68], Compression("bzip2", "bzip2 -dc")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], Compression("xz", "xz -dc")),
    ([0x28, 0xB5, 0x2F, 0xFD], Compression("zstd", "zstd -dc")),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Compression("7-Zip", "7z x -so")),
    ([0x1F, 0x9D], Compression("compress", "gzip -dc")), ([0x04, 0x22, 0x4D, 0x18], Compression("lz4", "lz4 -dc")),
  ]

  /// What is wrong with the file as an input, and how to read it.
  package var reason: String { "the file is compressed (\(name)). Decompress it first: \(program) FILE > NEW" }
}
