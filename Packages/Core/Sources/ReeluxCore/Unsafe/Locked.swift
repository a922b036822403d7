public import Synchronization

/// A value protected by a mutex.
///
/// The slow path of the toolchain's `Mutex` is in a library that ThreadSanitizer does not instrument, so the sanitizer
/// reports false races. The additional word is stored (releasing) before each unlock and loaded (acquiring) after each
/// lock. On x86-64 these are two plain moves. By this word, the sanitizer detects that the critical sections do not
/// overlap.
@usableFromInline package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let order = Atomic<UInt8>(0)

  /// Creates a protected value.
  @inlinable package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Calls `body` with the value while no other thread can access it.
  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (value) throws(Failure) -> sending Result in
      _ = order.load(ordering: .acquiring)
      defer { order.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}
