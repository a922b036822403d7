/// A parser of one catalogue format that is fed with bytes, a piece at a time.
///
/// Pieces may be cut anywhere, inside a character too: the result does not depend on it.
protocol CatalogParser {
  /// Reads the next piece.
  mutating func feed(_ piece: UnsafeBufferPointer<UInt8>) throws(CatalogFault)

  /// Reads what is left at the end of the file, and answers what was built.
  mutating func finish() throws(CatalogFault) -> CatalogBuilder
}
