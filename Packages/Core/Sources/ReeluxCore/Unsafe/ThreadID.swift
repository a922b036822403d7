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

/// Always zero.
private let nothing = Atomic<UInt>(0)

/// Returns the identity of the calling thread as one word. Its low four bits are zero.
///
/// This is correct, because `pthread_self` is the address of the thread's control block, which every supported C
/// library aligns to at least 16 bytes. The address is a number here, and nothing is read at it.
///
/// The C library declares `pthread_self` as constant, so the optimiser could call it only once if an asynchronous
/// function dispatches before and after an `await`. The second dispatch would then have the identity of another thread.
/// The atomic load cannot be moved over the other atomic operations.
@usableFromInline @inline(never) package func currentThreadID() -> UInt {
  #if canImport(Darwin) || canImport(Musl)
    unsafe UInt(bitPattern: pthread_self()) | nothing.load(ordering: .relaxed)
  #else
    UInt(truncatingIfNeeded: pthread_self()) | nothing.load(ordering: .relaxed)
  #endif
}
