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
/// `witness` is `nil` and the store asks each feature. The store also asks each
/// feature if the first use in a process, with a known enum, gives wrong
/// numbers. The witness only reads the value. Its two pointer arguments and
/// integer result are passed alike in the Swift and the C calling convention on
/// all supported platforms.
@usableFromInline
struct EnumCase<Value>: Sendable {
  @usableFromInline typealias Witness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  @usableFromInline let witness: Witness?
  /// Lies in the program for good.
  @usableFromInline nonisolated(unsafe) let metadata: UnsafeRawPointer

  @usableFromInline
  init() {
    metadata = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    witness = CaseProbe.isReadRight ? Self.reader(metadata) : nil
  }

  /// The function of the type's value witness table that reads the case; `nil` if the type is not an enum.
  fileprivate static func reader(_ metadata: UnsafeRawPointer) -> Witness? {
    #if _ptrauth(_arm64e)
      return nil
    #else
      let word = MemoryLayout<UnsafeRawPointer>.size
      let enumKind: UInt = 0x201
      let hasEnumWitnesses: UInt32 = 0x0020_0000
      guard metadata.load(as: UInt.self) == enumKind else { return nil }
      let table = metadata.load(fromByteOffset: -word, as: UnsafeRawPointer.self)
      let flags = table.load(fromByteOffset: 10 * word, as: UInt32.self)
      guard flags & hasEnumWitnesses != 0 else { return nil }
      return table.load(fromByteOffset: 10 * word + 8, as: Witness.self)
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

/// An enum whose cases are known, with which reading is tried once before any store relies on it.
///
/// If a future runtime moved the function, the numbers would be wrong, and every store would try the features in turn.
private enum CaseProbe {
  case number(Int), text(String), none, flag(Bool)

  static let isReadRight: Bool = {
    let metadata = unsafeBitCast(CaseProbe.self as Any.Type, to: UnsafeRawPointer.self)
    guard let witness = EnumCase<CaseProbe>.reader(metadata) else { return false }
    let pairs: [(CaseProbe, CaseProbe)] = [
      (.number(1), .number(-1)), (.text(""), .text("a text that is longer than sixteen bytes")), (.none, .none),
      (.flag(true), .flag(false)),
    ]
    let numbers = pairs.map { first, second in
      (
        withUnsafePointer(to: first) { witness(UnsafeRawPointer($0), metadata) },
        withUnsafePointer(to: second) { witness(UnsafeRawPointer($0), metadata) }
      )
    }
    return numbers.allSatisfy { $0.0 == $0.1 } && Set(numbers.map(\.0)).count == pairs.count
  }()
}
