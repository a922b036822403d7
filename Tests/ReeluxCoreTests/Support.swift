import ReeluxCore
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What happened, in its order, from any thread.
final class Journal<Entry: Sendable>: Sendable {
  private let list = Locked<[Entry]>([])

  func write(_ entry: Entry) { list.withLock { $0.append(entry) } }
  var entries: [Entry] { list.withLock { $0 } }
  var count: Int { list.withLock { $0.count } }
  func clear() { list.withLock { $0 = [] } }
}

/// A door for tasks: those who wait go on when it is opened, and so do all later ones.
final class Door: Sendable {
  private let waiting = Locked<[CheckedContinuation<Void, Never>]?>([])

  func open() {
    let all = waiting.withLock { list in
      defer { list = nil }
      return list ?? []
    }
    for continuation in all { continuation.resume() }
  }

  /// Whether someone waits.
  var isWaitedFor: Bool { waiting.withLock { $0?.isEmpty == false } }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { list in
        list?.append(continuation)
        return list == nil
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// A counting semaphore for threads, made of what the thread sanitizer understands.
///
/// `@unchecked Sendable`: `count` is used under the mutex only.
final class Semaphore: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var count: Int

  init(_ count: Int = 0) {
    self.count = count
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func signal() {
    pthread_mutex_lock(mutex)
    count += 1
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  func wait() {
    pthread_mutex_lock(mutex)
    while count == 0 { pthread_cond_wait(condition, mutex) }
    count -= 1
    pthread_mutex_unlock(mutex)
  }
}

/// A thread of its own.
final class WorkThread: Sendable {
  private let done = Semaphore()

  init(_ work: @escaping @Sendable () -> Void) {
    let done = self.done
    let box = Unmanaged.passRetained(
      ThreadBody {
        work()
        done.signal()
      })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(
      &thread, nil,
      { argument in
        #if canImport(Darwin)
          Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().work()
        #else
          if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().work() }
        #endif
        return nil
      }, box.toOpaque())
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Returns when the work is done.
  func join() { done.wait() }
}

private final class ThreadBody: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

/// Runs work that blocks on a thread of its own, so that the test's thread pool is free meanwhile.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    _ = WorkThread { continuation.resume(returning: work()) }
  }
}

/// Something whose end can be observed.
final class Token: Sendable {
  init() {}
}

/// A weak reference that may travel.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?
  init(_ object: Object) { self.object = object }
}

/// Lets another thread run.
func relax() {
  _ = sched_yield()
}

/// The calling thread, as a number.
func threadNumber() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// How much memory the process occupies, in kilobytes; 0 where that cannot be found out.
func residentKilobytes() -> Int {
  #if os(Linux)
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
  #else
    return 0
  #endif
}

/// Whether the long versions of the tests are to run: in release builds, and with `REELUX_STRESS` set.
let isThorough: Bool = {
  #if DEBUG
    return getenv("REELUX_STRESS") != nil
  #else
    return true
  #endif
}()

/// Returns when something that other tasks are about to bring about holds.
func until(
  _ condition: () -> Bool, location: SourceLocation = #_sourceLocation
) async {
  for _ in 0..<2_000_000 {
    if condition() { return }
    await Task.yield()
  }
  Issue.record("It never came about.", sourceLocation: location)
}
