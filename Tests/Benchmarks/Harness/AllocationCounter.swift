import Synchronization

/// The number and size of the blocks of memory that the whole process allocates while counting is on.
///
/// While counting is on, calls of `malloc` and related functions in every loaded library are redirected to functions
/// that count (see ``ImportTable``). While it is off, the program is unchanged.
enum AllocationCounter {
  /// The count so far.
  static var count: Int { counter.load(ordering: .sequentiallyConsistent) }

  /// The size in bytes of the blocks allocated and not freed so far, as the C library rounds them up.
  static var bytes: Int { byteCounter.load(ordering: .sequentiallyConsistent) }

  /// Counts the allocations of `body`. `isCounted` is false on a platform without this counter.
  static func counting<Result>(_ body: () throws -> Result) rethrows -> (result: Result, isCounted: Bool) {
    #if os(Linux) && canImport(Glibc)
      let isCounted = ImportTable.redirect(replacements)
      defer { ImportTable.restore() }
      return (try body(), isCounted && countsItself())
    #else
      return (try body(), false)
    #endif
  }

  /// Whether a hundred objects count as a hundred blocks.
  @inline(never)
  private static func countsItself() -> Bool {
    let before = count
    let objects = (0..<100).map { _ in Probe() }
    return withExtendedLifetime(objects) { count - before >= 100 }
  }
}

private final class Probe {}

private let counter = Atomic<Int>(0)
private let byteCounter = Atomic<Int>(0)

#if os(Linux) && canImport(Glibc)
  import Glibc

  private typealias Allocate = @convention(c) (Int) -> UnsafeMutableRawPointer?
  private typealias AllocateZeroed = @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private typealias UsableSize = @convention(c) (UnsafeMutableRawPointer?) -> Int
  private typealias Reallocate = @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
  private typealias AllocateAt =
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int, Int) -> Int32

  /// The functions of the C library, looked up without our replacements.
  @safe private struct Originals: Sendable {
    let malloc = unsafe find("malloc", as: Allocate.self)
    let calloc = unsafe find("calloc", as: AllocateZeroed.self)
    let realloc = unsafe find("realloc", as: Reallocate.self)
    let aligned = unsafe find("aligned_alloc", as: AllocateZeroed.self)
    let memalign = unsafe find("posix_memalign", as: AllocateAt.self)
    let free = unsafe find("free", as: Free.self)
    let usableSize = unsafe find("malloc_usable_size", as: UsableSize.self)

    private static func find<Function>(_ name: String, as _: Function.Type) -> Function {
      guard let address = unsafe dlsym(nil, name) else { preconditionFailure("The C library has no \(name).") }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
  }

  private let originals = Originals()

  private func noted(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    counter.wrappingAdd(1, ordering: .relaxed)
    unsafe byteCounter.wrappingAdd(originals.usableSize(block), ordering: .relaxed)
    return unsafe block
  }

  private func forget(_ block: UnsafeMutableRawPointer?) {
    unsafe byteCounter.wrappingSubtract(originals.usableSize(block), ordering: .relaxed)
  }

  private let countingMalloc: Allocate = { size in unsafe noted(originals.malloc(size)) }

  private let countingCalloc: AllocateZeroed = { count, size in unsafe noted(originals.calloc(count, size)) }

  private let countingRealloc: Reallocate = { old, size in
    unsafe forget(old)
    return unsafe noted(originals.realloc(old, size))
  }

  private let countingAligned: AllocateZeroed = { alignment, size in unsafe noted(originals.aligned(alignment, size)) }

  private let countingMemalign: AllocateAt = { result, alignment, size in
    let code = unsafe originals.memalign(result, alignment, size)
    if code == 0 { _ = unsafe noted(result?.pointee) }
    return code
  }

  private let countingFree: Free = { block in
    unsafe forget(block)
    unsafe originals.free(block)
  }

  private let replacements: [String: UInt] = unsafe [
    "malloc": UInt(bitPattern: unsafeBitCast(countingMalloc, to: Int.self)),
    "calloc": UInt(bitPattern: unsafeBitCast(countingCalloc, to: Int.self)),
    "realloc": UInt(bitPattern: unsafeBitCast(countingRealloc, to: Int.self)),
    "aligned_alloc": UInt(bitPattern: unsafeBitCast(countingAligned, to: Int.self)),
    "posix_memalign": UInt(bitPattern: unsafeBitCast(countingMemalign, to: Int.self)),
    "free": UInt(bitPattern: unsafeBitCast(countingFree, to: Int.self)),
  ]
#endif
