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
/// `pthread_self` is the address of the thread's control block, which every supported C library aligns to at least 16
/// bytes.
@usableFromInline
package enum ThreadID {
  /// The calling thread.
  @inlinable
  @inline(__always)
  package static func current() -> UInt { callingThread() }
}

/// Always zero.
private let nothing = Atomic<UInt>(0)

/// The C library declares `pthread_self` to be constant, so the optimiser would ask once where an asynchronous function
/// dispatches before and after an `await`, and the second dispatch would carry another thread's identity. The atomic load
/// cannot be moved over the other atomic operations.
@usableFromInline
@inline(never)
func callingThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self()) | nothing.load(ordering: .relaxed)
  #else
    UInt(pthread_self()) | nothing.load(ordering: .relaxed)
  #endif
}
