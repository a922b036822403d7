/// The number of the case that an enum value is in, read without a `switch`.
///
/// A store uses it to find, for an action, the lifted features that can
/// accept it, by one table look-up in place of one trial for each feature.
///
/// Why it is right: the runtime describes every enum type by a *value witness
/// table*, whose place (one word before the metadata) and order of entries are
/// part of Swift's binary interface (`ValueWitness.def`: eight functions, size,
/// stride, flags, extra inhabitants, then for enums `getEnumTag`). The table's
/// flags say whether the enum entries are there; where they are not (structs,
/// classes, existentials) or where function pointers are signed (arm64e),
/// `witness` is `nil` and the store asks each feature. The witness only reads
/// the value. Its two pointer arguments and integer result are passed alike in
/// the Swift and the C calling convention on all supported platforms.
@usableFromInline
struct EnumCase<Value>: Sendable {
  @usableFromInline typealias Witness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  @usableFromInline let witness: Witness?
  /// Lies in the program for good.
  @usableFromInline nonisolated(unsafe) let metadata: UnsafeRawPointer

  @usableFromInline
  init() {
    metadata = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    #if _ptrauth(_arm64e)
      witness = nil
    #else
      let word = MemoryLayout<UnsafeRawPointer>.size
      let enumKind: UInt = 0x201
      let hasEnumWitnesses: UInt32 = 0x0020_0000
      guard metadata.load(as: UInt.self) == enumKind else {
        witness = nil
        return
      }
      let table = metadata.load(fromByteOffset: -word, as: UnsafeRawPointer.self)
      let flags = table.load(fromByteOffset: 10 * word, as: UInt32.self)
      guard flags & hasEnumWitnesses != 0 else {
        witness = nil
        return
      }
      witness = table.load(fromByteOffset: 10 * word + 8, as: Witness.self)
    #endif
  }

  /// The case number of `value`, or `nil` where it cannot be read.
  @inlinable
  @inline(__always)
  func callAsFunction(_ value: UnsafePointer<Value>) -> Int? {
    guard let witness else { return nil }
    return Int(witness(UnsafeRawPointer(value), metadata))
  }
  /// The case number of `value`, or `nil` where it cannot be read.
  func number(of value: Value) -> Int? {
    withUnsafePointer(to: value) { self($0) }
  }
}
