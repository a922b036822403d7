import ReeluxCore
import ReeluxTesting
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
  private let bell = Bell()

  func write(_ entry: Entry) {
    list.withLock { $0.append(entry) }
    bell.ring()
  }

  /// Returns when the entries are as wanted; fails the test if they are not within two minutes.
  func reaches(location: SourceLocation = #_sourceLocation, _ isWanted: ([Entry]) -> Bool) async {
    if await bell.wait(until: { isWanted(entries) }, timeout: .seconds(120)) { return }
    Issue.record("After two minutes the journal has \(entries).", sourceLocation: location)
  }

  /// Returns when there are so many entries; fails the test if there are not within two minutes.
  func reaches(count: Int, location: SourceLocation = #_sourceLocation) async {
    await reaches(location: location) { $0.count >= count }
  }

  var entries: [Entry] { list.withLock { $0 } }
  var count: Int { list.withLock { $0.count } }
  func clear() { list.withLock { $0 = [] } }
}

/// A door for tasks: waiting tasks go on when it is opened, and later tasks do not
/// wait.
final class Door: Sendable {
  private let waiting = Locked<[CheckedContinuation<Void, Never>]?>([])
  private let bell = Bell()

  func open() {
    let all = waiting.withLock { list in
      defer { list = nil }
      return list ?? []
    }
    for continuation in all { continuation.resume() }
  }

  /// Returns when a task waits; fails the test if none does within two minutes.
  func isReached(location: SourceLocation = #_sourceLocation) async {
    let isReached = await bell.wait(
      until: { waiting.withLock { $0?.isEmpty == false } }, timeout: .seconds(120))
    if !isReached { Issue.record("After two minutes no task waits for the door.", sourceLocation: location) }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { list in
        list?.append(continuation)
        return list == nil
      }
      if isOpen { continuation.resume() } else { bell.ring() }
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

/// Something whose end can be observed and awaited.
final class Token: Sendable {
  private let ends: Journal<Void>?

  init(_ ends: Journal<Void>? = nil) { self.ends = ends }

  /// Weak references to it, and to an object that it ends with, are `nil` by now.
  deinit { ends?.write(()) }
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

extension StateProvider {
  /// Returns when the state is as wanted; fails the test if it is not within two minutes.
  func reaches(location: SourceLocation = #_sourceLocation, _ isWanted: (State) -> Bool) async {
    let bell = Bell()
    let subscription = subscribe { _ in bell.ring() }
    defer { subscription.cancel() }
    if await bell.wait(until: { isWanted(state) }, timeout: .seconds(120)) { return }
    Issue.record("After two minutes the state is \(state).", sourceLocation: location)
  }
}
