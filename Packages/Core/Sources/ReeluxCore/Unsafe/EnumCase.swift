/// The number of the case that an enum value is in, read without a `switch`.
///
/// With this number, a store finds the lifted features that can accept an action by one look-up in a table. Without the
/// number, it would try the prisms of all features in turn.
///
/// This is correct, because the runtime describes every enum type by a *value witness table*, whose place (one word
/// before the metadata) and order of entries are part of Swift's binary interface (`ValueWitness.def`: eight functions,
/// size, stride, flags, extra inhabitants, then for enums `getEnumTag`). The table's flags say whether the enum entries
/// are there. Where they are not (structs, classes, existentials), for an `Optional`, and where function pointers are
/// signed (arm64e), `witness` is `nil` and the store tries the prisms in turn. The store also does so if the first use
/// in a process, with a known enum, gives wrong numbers. The witness only reads the value. Its two pointer arguments
/// and integer result are passed alike in the Swift and the C calling convention on all supported platforms.
/// `@unchecked Sendable`: the metadata is never changed or freed.
@safe @usableFromInline struct EnumCase<Value>: @unchecked Sendable {
  @usableFromInline typealias Witness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

  @usableFromInline let witness: Witness?
  @usableFromInline let metadata: UnsafeRawPointer

  @usableFromInline init() {
    self.init(isTried: CaseProbe.isReadRight)
  }

  fileprivate init(isTried: Bool) {
    unsafe metadata = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    unsafe witness = isTried ? Self.reader(metadata) : nil
  }

  /// Whether cases can be read.
  @inlinable var isReadable: Bool { unsafe witness != nil }

  /// The function of the type's value witness table that reads the case; `nil` if the type is not an enum.
  private static func reader(_ metadata: UnsafeRawPointer) -> Witness? {
    #if _ptrauth(_arm64e)
      return nil
    #else
      let word = MemoryLayout<UInt>.size
      let enumKind: UInt = 0x201
      let hasEnumWitnesses: UInt32 = 0x0020_0000
      guard unsafe metadata.load(as: UInt.self) == enumKind else { return nil }
      let table = unsafe metadata.load(fromByteOffset: -word, as: UnsafeRawPointer.self)
      let flags = unsafe table.load(fromByteOffset: 10 * word, as: UInt32.self)
      guard flags & hasEnumWitnesses != 0 else { return nil }
      return unsafe table.load(fromByteOffset: 10 * word + 8, as: Witness.self)
    #endif
  }

  /// The case number of `value`, or `nil` if it cannot be read.
  @inlinable @inline(__always) func callAsFunction(_ value: Lent<Value>) -> Int? {
    guard let witness = unsafe witness else { return nil }
    return unsafe Int(witness(UnsafeRawPointer(value.pointer), metadata))
  }

  /// The case number of `value`, or `nil` if it cannot be read.
  func number(of value: Value) -> Int? {
    lend(value) { self($0) }
  }
}

/// An enum with known cases. Reading them is tried once before a store relies on it.
///
/// If a future runtime moved the function, the numbers would be wrong, and every store would try all features.
private enum CaseProbe {
  case number(Int), text(String), none, flag(Bool)

  static let isReadRight: Bool = {
    let enumCase = EnumCase<CaseProbe>(isTried: true)
    let pairs: [(CaseProbe, CaseProbe)] = [
      (.number(1), .number(-1)), (.text(""), .text("a text that is longer than sixteen bytes")), (.none, .none),
      (.flag(true), .flag(false)),
    ]
    let numbers = pairs.map { (enumCase.number(of: $0), enumCase.number(of: $1)) }
    return numbers.allSatisfy { $0.0 == $0.1 } && Set(numbers.map(\.0)).count == pairs.count
  }()
}
