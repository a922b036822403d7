#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// `pthread_self` of the C library, which returns a number or a pointer of one word.
///
/// This is correct, because the Swift and the C calling convention return one word in the same register. The C library
/// declares `pthread_self` as constant. With its declaration, the optimiser could call it only once if an asynchronous
/// function dispatches before and after an `await`. The second dispatch would then have the identity of another thread.
@_silgen_name("pthread_self") private func threadIdentity() -> UInt

/// Returns the identity of the calling thread as one word. Its low four bits are zero.
///
/// It is the address of the thread's control block, which every supported C library aligns to at least 16 bytes. The
/// address is a number here, and nothing is read at it.
@usableFromInline @inline(never) package func currentThreadID() -> UInt { threadIdentity() }

/// A lock on which threads can sleep until another thread wakes them.
///
/// A thread that finds the lock taken spins for a short time before it sleeps. When the lock is released, a running
/// thread may take it before a sleeping one. A fair lock would stay unused while the next thread wakes up.
///
/// This is correct, because the mutex and the condition are allocated once, are never moved, and are freed with the
/// last reference. At that time, no thread holds or awaits the lock. `@unchecked Sendable`: the functions of the C
/// library are thread-safe.
@safe @usableFromInline final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  @usableFromInline init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  @usableFromInline func lock() {
    for _ in 0..<40 where unsafe pthread_mutex_trylock(mutex) == 0 { return }
    unsafe pthread_mutex_lock(mutex)
  }

  @usableFromInline func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// Calls `body` while no other thread holds the lock. Sleeping threads do not hold it.
  func withLock<Result>(_ body: (ConditionLock) -> Result) -> Result {
    lock()
    defer { unlock() }
    return body(self)
  }

  /// Sleeps until `wakeAll`. It may return earlier, so the caller checks its condition again. The caller must hold the
  /// lock, which is released during the sleep.
  func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Wakes all sleeping threads. The caller must hold the lock.
  func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

/// A list of suspended tasks. They continue when the list is destroyed.
///
/// Usually there is at most one, which needs no array. A continuation that the library checks would be one more
/// allocation for each waiting task.
///
/// This is correct, because a list cannot be copied. Each task is in one list at a time, and the list resumes it in its
/// `deinit`, which runs once.
@safe struct WaitingTasks: ~Copyable, Sendable {
  private var first: UnsafeContinuation<Void, Never>?
  private var others = unsafe [UnsafeContinuation<Void, Never>]()

  init() { unsafe first = nil }

  private init(_ task: UnsafeContinuation<Void, Never>) { unsafe first = task }

  deinit {
    unsafe first?.resume()
    unsafe others.forEach { unsafe $0.resume() }
  }

  /// Moves the tasks of another list to this one.
  mutating func take(_ tasks: inout WaitingTasks) {
    guard let task = unsafe tasks.first.take() else { return }
    if unsafe first == nil { unsafe first = task } else { unsafe others.append(task) }
    if unsafe tasks.others.isEmpty { return }
    unsafe others += tasks.others
    unsafe tasks.others = []
  }

  /// Suspends the calling task. `body` gets a list with this task. The task continues at once if
  /// `body` leaves it in the list.
  nonisolated(nonsending) static func suspend(_ body: (inout WaitingTasks) -> Void) async {
    unsafe await withUnsafeContinuation { task in
      var tasks = unsafe WaitingTasks(task)
      body(&tasks)
    }
  }
}
