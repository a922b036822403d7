/// A value in its own allocation.
///
/// Its use costs no exclusivity check, unlike the use of a class's variable.
///
/// This is correct, because the memory is initialised when it is allocated, is never moved, and is freed with this
/// value, which cannot be copied. The owner of the value follows two rules, and its comment says how: one thread at a
/// time uses the value, and code that has the value as `inout` does not access it in another way at the same time. The
/// first rule is the reason for `@unchecked Sendable`.
@safe @usableFromInline struct Memory<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable init(_ value: consuming Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  @inlinable deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  /// The address for reading and changing the value.
  @inlinable @inline(__always) var address: MemoryAddress<Value> { unsafe MemoryAddress(pointer) }
}

/// The address of a value in its own allocation, by the rules of ``Memory``.
///
/// A change through a copy of the address does not count as a change of the variable that holds the ``Memory``. If it
/// did, the thread sanitizer would report a race with each thread that reads this variable.
///
/// This is correct, because the type that has the `Memory` uses the address only as long as it has the `Memory`.
@safe @usableFromInline struct MemoryAddress<Value: ~Copyable>: @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable @inline(__always) init(_ pointer: UnsafeMutablePointer<Value>) {
    unsafe self.pointer = pointer
  }

  @inlinable var value: Value {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }
}

/// A value in its own allocation that several objects refer to, by the rules of ``Memory``.
@usableFromInline final class MemoryCell<Value: ~Copyable>: Sendable {
  @usableFromInline let storage: Memory<Value>

  @inlinable init(_ value: consuming Value) {
    storage = Memory(value)
  }

  @inlinable @inline(__always) var value: Value {
    unsafeAddress { unsafe UnsafePointer(storage.pointer) }
    unsafeMutableAddress { unsafe storage.pointer }
  }
}

extension MemoryAddress {
  /// The value, to be lent to a function.
  @inlinable @inline(__always) var lent: Lent<Value> { unsafe Lent(UnsafePointer(pointer)) }

  /// Calls `body` with the object without retaining it.
  ///
  /// This is correct, because the memory holds a reference to the object, and `body` does not replace the object.
  @inlinable
  @inline(__always)
  func visit<Object: AnyObject, Result>(_ body: (Object) -> Result) -> Result where Value == Object? {
    guard let object = unsafe UnsafePointer(pointer).pointee.map({ unsafe Unmanaged.passUnretained($0) }) else {
      preconditionFailure("There is no object.")
    }
    return unsafe object._withUnsafeGuaranteedRef(body)
  }
}

/// A value that a caller lends to a function, for the time of the call. It is not copied.
///
/// This is correct, because `lend` and `MemoryAddress.lent` create a `Lent` only for an argument. So does `part`, which
/// creates the `Lent` of a property, at an offset that is 0 or that `StoredProperty` found. A function that receives a
/// `Lent` passes only its value to code of the app, and does not keep it. The types that keep a `Lent` do so while the
/// pipeline processes an action, during which the value exists: `CurrentAction` and `ChildMemory` (the action and its
/// source), `PassedChildren` and `ChildLink` (the links of child stores). A ``StateReader`` lends a value without its
/// type, as `Lent<Void>`. Only ``GetState`` reads it, as its own type.
@safe @usableFromInline struct Lent<Value> {
  @usableFromInline let pointer: UnsafePointer<Value>

  @inlinable @inline(__always) init(_ pointer: UnsafePointer<Value>) {
    unsafe self.pointer = pointer
  }

  @inlinable var value: Value {
    @inline(__always) unsafeAddress { unsafe pointer }
  }

  /// The property at an offset of this value.
  @inlinable @inline(__always) func part<Part>(at offset: Int) -> Lent<Part> {
    unsafe Lent<Part>(UnsafeRawPointer(pointer).advanced(by: offset).assumingMemoryBound(to: Part.self))
  }
}

/// Calls `body` with two values, which are not copied.
@inlinable
@inline(__always)
func lend<First, Second, Result>(
  _ first: First, _ second: Second, to body: (Lent<First>, Lent<Second>) -> Result
) -> Result {
  lend(first) { first in lend(second) { body(first, $0) } }
}

/// Calls `body` with a value, which is not copied.
@inlinable @inline(__always) func lend<Value, Result>(_ value: Value, to body: (Lent<Value>) -> Result) -> Result {
  unsafe withUnsafePointer(to: value) { body(unsafe Lent($0)) }
}

/// A stored property without observers.
///
/// This is correct, because `MemoryLayout.offset(of:)` documents that such a property is at this offset of every value,
/// so it can be read and changed there. It returns `nil` for all other key paths.
@safe @usableFromInline struct StoredProperty<Whole, Part>: Sendable {
  @usableFromInline let offset: Int

  /// `nil` if the key path leads to something else.
  @inlinable init?(_ path: KeyPath<Whole, Part>) {
    guard let offset = MemoryLayout<Whole>.offset(of: path) else { return nil }
    self.offset = offset
  }

  /// The property of a lent value.
  @inlinable func part(of whole: Lent<Whole>) -> Lent<Part> { whole.part(at: offset) }

  /// Calls `body` with the property in place.
  @inlinable @inline(__always) func update<Result>(_ whole: inout Whole, _ body: (inout Part) -> Result) -> Result {
    unsafe withUnsafeMutablePointer(to: &whole) { whole in
      let part = unsafe UnsafeMutableRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Part.self)
      return unsafe body(&part.pointee)
    }
  }
}

/// A list of objects. `visit` and `forEach` do not retain them.
///
/// This is correct, because the list holds a reference to each object, and releases it when the list is freed. The
/// type that has the list does not free it while it visits an object. Every index is checked.
@safe @usableFromInline struct Members<Member: AnyObject>: ~Copyable {
  @usableFromInline private(set) var slots: UnsafeMutableBufferPointer<Unmanaged<Member>?>

  @inlinable init(_ members: ContiguousArray<Member> = [], where isIncluded: (Member) -> Bool = { _ in true }) {
    let memory = UnsafeMutableBufferPointer<Unmanaged<Member>?>.allocate(capacity: members.count)
    var count = 0
    for member in members where isIncluded(member) {
      unsafe memory.initializeElement(at: count, to: Unmanaged.passRetained(member))
      count += 1
    }
    unsafe slots = UnsafeMutableBufferPointer(rebasing: memory[..<count])
  }

  @inlinable deinit {
    for index in unsafe slots.indices { unsafe slots[index]?.release() }
    unsafe slots.deallocate()
  }

  @inlinable @inline(__always) var count: Int { unsafe slots.count }

  /// Whether there is an object at this index.
  @inlinable
  @inline(__always)
  func has(_ index: Int) -> Bool { unsafe index >= 0 && index < slots.count && slots[index] != nil }

  /// Calls `body` with the object at an index at which there is one.
  @inlinable @inline(__always) func visit<Result>(_ index: Int, _ body: (Member) -> Result) -> Result {
    guard index >= 0, index < count, let member = unsafe slots[index] else {
      preconditionFailure("There is no object at \(index).")
    }
    return unsafe member._withUnsafeGuaranteedRef(body)
  }

  /// Calls `body` with each object and its index, in their order.
  @inlinable @inline(__always) func forEach(_ body: (Int, Member) -> Void) {
    var index = 0
    while index < count {
      if let member = unsafe slots[index] { unsafe member._withUnsafeGuaranteedRef { body(index, $0) } }
      index += 1
    }
  }

  /// Puts an object at a free index.
  @usableFromInline mutating func insert(_ member: Member, at index: Int) {
    if index >= count {
      let larger = UnsafeMutableBufferPointer<Unmanaged<Member>?>.allocate(capacity: max(16, index + 1, count * 2))
      unsafe larger.initialize(repeating: nil)
      for index in unsafe slots.indices { unsafe larger[index] = unsafe slots[index] }
      unsafe slots.deallocate()
      unsafe slots = larger
    }
    precondition(!has(index), "There is an object at \(index).")
    unsafe slots[index] = Unmanaged.passRetained(member)
  }
}

/// Only one value refers to the memory, so it may go to another thread if the objects may.
extension Members: @unchecked Sendable where Member: Sendable {}

/// The text of a literal.
///
/// This is correct, because a literal is a part of the program, so its bytes stay where they are, and end with a zero.
/// The only initialiser takes no other text.
@safe @usableFromInline struct LiteralText: @unchecked Sendable {
  @usableFromInline let bytes: UnsafePointer<UInt8>

  /// `nil` for a literal of one character, which may have no address.
  @inlinable @inline(__always) init?(_ literal: StaticString) {
    guard literal.hasPointerRepresentation else { return nil }
    unsafe bytes = literal.utf8Start
  }

  /// The literal as a text.
  @usableFromInline var text: String { unsafe String(cString: bytes) }
}

extension ContiguousArray {
  /// Reverses the elements without copying them. `reverse()` of a collection copies each element twice.
  ///
  /// This is correct, because the buffer is used during the call only.
  @inlinable mutating func reverseInPlace() {
    unsafe withUnsafeMutableBufferPointer { unsafe $0.reverse() }
  }
}
