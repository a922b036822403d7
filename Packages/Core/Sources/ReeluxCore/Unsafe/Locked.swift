public import Synchronization

/// A value behind a mutex.
///
/// The toolchain's `Mutex` takes its slow path inside a library that
/// ThreadSanitizer does not see, and then reports races that are none. The
/// hand-over word beside it is stored (releasing) before each unlock and loaded
/// (acquiring) after each lock, two plain moves on common processors, and shows
/// the sanitizer what the mutex guarantees.
@usableFromInline
package struct Locked<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handOver = Atomic<UInt8>(0)

  /// Puts a value behind a mutex.
  @inlinable
  package init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Calls `body` with the value while no other thread has it.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (value) throws(Failure) -> sending Result in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}
