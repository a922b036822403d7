import Synchronization

/// How many blocks of memory the whole process has asked for while counting was on, and what they hold.
///
/// While it is on, the calls of `malloc` and its relatives in every loaded
/// library are led through functions that count (see ``ImportTable``); while it
/// is off, nothing is different from a program without a counter.
enum AllocationCounter {
  /// The count so far.
  static var count: Int { counter.load(ordering: .sequentiallyConsistent) }

  /// Bytes of the blocks asked for and not given back so far, as the C library rounds them up.
  static var bytes: Int { byteCounter.load(ordering: .sequentiallyConsistent) }

  /// Counts what `body` asks for; `nil` where this platform does not let us count.
  static func counting<Result>(_ body: () throws -> Result) rethrows -> (result: Result, isCounted: Bool) {
    #if os(Linux) && canImport(Glibc)
      let isCounted = ImportTable.redirect(replacements)
      defer { ImportTable.restore() }
      return (try body(), isCounted && countsItself())
    #else
      return (try body(), false)
    #endif
  }

  /// Whether a hundred objects are counted as a hundred blocks.
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

  /// The functions of the C library, looked up past our own replacements.
  private struct Originals: Sendable {
    let malloc = find("malloc", as: Allocate.self)
    let calloc = find("calloc", as: AllocateZeroed.self)
    let realloc = find("realloc", as: Reallocate.self)
    let aligned = find("aligned_alloc", as: AllocateZeroed.self)
    let memalign = find("posix_memalign", as: AllocateAt.self)
    let free = find("free", as: Free.self)
    let usableSize = find("malloc_usable_size", as: UsableSize.self)

    private static func find<Function>(_ name: String, as _: Function.Type) -> Function {
      guard let address = dlsym(nil, name) else { preconditionFailure("The C library has no \(name).") }
      return unsafeBitCast(address, to: Function.self)
    }
  }

  private let originals = Originals()

  private func noted(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    counter.wrappingAdd(1, ordering: .relaxed)
    byteCounter.wrappingAdd(originals.usableSize(block), ordering: .relaxed)
    return block
  }

  private func forget(_ block: UnsafeMutableRawPointer?) {
    byteCounter.wrappingSubtract(originals.usableSize(block), ordering: .relaxed)
  }

  private let countingMalloc: Allocate = { size in noted(originals.malloc(size)) }

  private let countingCalloc: AllocateZeroed = { count, size in noted(originals.calloc(count, size)) }

  private let countingRealloc: Reallocate = { old, size in
    forget(old)
    return noted(originals.realloc(old, size))
  }

  private let countingAligned: AllocateZeroed = { alignment, size in noted(originals.aligned(alignment, size)) }

  private let countingMemalign: AllocateAt = { result, alignment, size in
    let code = originals.memalign(result, alignment, size)
    if code == 0 { _ = noted(result?.pointee) }
    return code
  }

  private let countingFree: Free = { block in
    forget(block)
    originals.free(block)
  }

  private let replacements: [String: UInt] = [
    "malloc": UInt(bitPattern: unsafeBitCast(countingMalloc, to: Int.self)),
    "calloc": UInt(bitPattern: unsafeBitCast(countingCalloc, to: Int.self)),
    "realloc": UInt(bitPattern: unsafeBitCast(countingRealloc, to: Int.self)),
    "aligned_alloc": UInt(bitPattern: unsafeBitCast(countingAligned, to: Int.self)),
    "posix_memalign": UInt(bitPattern: unsafeBitCast(countingMemalign, to: Int.self)),
    "free": UInt(bitPattern: unsafeBitCast(countingFree, to: Int.self)),
  ]
#endif
