#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

/// A lock on which threads sleep until another thread rings.
///
/// A thread that finds it taken looks again a few times before it sleeps. When it is free again, a running thread may take
/// it before one that sleeps: a lock that is handed over in turn makes each of its users wait for a thread that has to be
/// woken first.
///
/// Why it is right: both words are allocated once, are never moved, and are freed when the last reference is gone, so no
/// thread holds or awaits them then. `@unchecked Sendable`: the C library's functions are made for several threads.
@usableFromInline
final class Bell: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  @usableFromInline
  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  @usableFromInline
  func lock() {
    for _ in 0..<40 where pthread_mutex_trylock(mutex) == 0 { return }
    pthread_mutex_lock(mutex)
  }

  @usableFromInline
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Calls `body` while no other thread is in here, but for those that sleep.
  func withLock<Result>(_ body: (Bell) -> Result) -> Result {
    lock()
    defer { unlock() }
    return body(self)
  }

  /// Sleeps until the bell rings, or for no reason; to be called under the lock, which is free meanwhile.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Wakes all threads that sleep; to be called under the lock.
  func ring() { pthread_cond_broadcast(condition) }
}

/// The readers that found a reducer running, asleep until the thread that runs it has performed their reads.
///
/// A reader says that it is there before it looks for the reducer again; the thread that runs the pipeline ends the
/// reducing phase before it looks whether a reader is there. So a reader that sleeps is always seen.
///
/// `@unchecked Sendable`: `requests` is used under the bell's lock. A request's closure does not escape: the reader sleeps
/// in `wait` until the closure was called, or takes the request back.
@usableFromInline
final class ShutOutReaders: @unchecked Sendable {
  private final class Request {
    let read: () -> Void
    var isDone = false
    init(_ read: @escaping () -> Void) { self.read = read }
  }

  private let bell = Bell()
  private var requests: [Request] = []

  @usableFromInline init() {}

  /// Returns when `read` was called, by this thread or by the one that runs the pipeline.
  ///
  /// - Parameters:
  ///   - note: Says in the gate whether readers wait here; called under the bell's lock.
  ///   - isOpen: Counts this reader in unless a reducer runs.
  ///   - leave: Counts it out.
  func wait(for read: () -> Void, note: (Bool) -> Void, isOpen: () -> Bool, leave: () -> Void) {
    let isDone = withoutActuallyEscaping(read) { read in
      bell.withLock { bell in
        let request = Request(read)
        requests.append(request)
        note(true)
        if isOpen() {
          requests.removeAll { $0 === request }
          if requests.isEmpty { note(false) }
          return false
        }
        while !request.isDone { bell.wait() }
        return true
      }
    }
    if isDone { return }
    read()
    leave()
  }

  /// Performs all reads; to be called by the thread that runs the pipeline, while no reducer runs.
  @usableFromInline
  func admit(note: (Bool) -> Void) {
    bell.withLock { bell in
      for request in requests {
        request.read()
        request.isDone = true
      }
      requests = []
      note(false)
      bell.ring()
    }
  }
}
