import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// The identity of a thread as one word whose low four bits are zero.
///
/// `pthread_self` is the address of the thread's control block, which every
/// supported C library aligns to at least 16 bytes.
@usableFromInline
package enum ThreadID {
  /// Always zero; see ``current()``.
  private static let nothing = Atomic<UInt>(0)

  /// The calling thread.
  ///
  /// The C library declares `pthread_self` to be constant, so the optimiser
  /// would ask once where an asynchronous function dispatches before and after
  /// an `await`, and the second dispatch would carry another thread's name. The
  /// atomic load cannot be moved over the other atomic operations.
  @usableFromInline
  @inline(never)
  package static func current() -> UInt {
    #if canImport(Darwin)
      return UInt(bitPattern: pthread_self()) | nothing.load(ordering: .relaxed)
    #else
      return UInt(pthread_self()) | nothing.load(ordering: .relaxed)
    #endif
  }
}
