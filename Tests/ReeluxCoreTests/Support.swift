import Foundation
@testable import ReeluxCore
import ReeluxTesting
import Testing

/// A list of events from any thread, in their order.
final class Journal<Entry: Sendable>: Sendable {
  private let list = Locked<[Entry]>([])
  private let changes = ChangeCounter()

  func write(_ entry: Entry) {
    list.withLock { $0.append(entry) }
    changes.add()
  }

  /// Returns when the entries fulfil the condition. Fails the test after two minutes.
  func reaches(location: SourceLocation = #_sourceLocation, _ isWanted: ([Entry]) -> Bool) async {
    if await changes.wait(until: { isWanted(entries) }, timeout: .seconds(120)) { return }
    Issue.record("After two minutes the journal has \(entries).", sourceLocation: location)
  }

  /// Returns when there is this number of entries. Fails the test after two minutes.
  func reaches(count: Int, location: SourceLocation = #_sourceLocation) async {
    await reaches(location: location) { $0.count >= count }
  }

  var entries: [Entry] { list.withLock { $0 } }
  var count: Int { list.withLock { $0.count } }
  func clear() { list.withLock { $0 = [] } }
}

/// A door for tasks. When it is opened, waiting tasks continue, and later tasks do not wait.
final class Door: Sendable {
  private let waiting = Locked<[CheckedContinuation<Void, Never>]?>([])
  private let changes = ChangeCounter()

  func open() {
    let all = waiting.withLock { list in
      defer { list = nil }
      return list ?? []
    }
    for continuation in all { continuation.resume() }
  }

  /// Returns when a task waits. Fails the test after two minutes.
  func isReached(location: SourceLocation = #_sourceLocation) async {
    let isReached = await changes.wait(
      until: { waiting.withLock { $0?.isEmpty == false } }, timeout: .seconds(120))
    if !isReached { Issue.record("After two minutes no task waits for the door.", sourceLocation: location) }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { list in
        list?.append(continuation)
        return list == nil
      }
      if isOpen { continuation.resume() } else { changes.add() }
    }
  }
}

/// A counting semaphore for threads, made of what the thread sanitizer understands.
///
/// `@unchecked Sendable`: `count` is used under the condition's lock only.
final class Semaphore: @unchecked Sendable {
  private let condition = NSCondition()
  private var count: Int

  init(_ count: Int = 0) { self.count = count }

  func signal() {
    condition.withLock {
      count += 1
      condition.signal()
    }
  }

  func wait() {
    condition.withLock {
      while count == 0 { condition.wait() }
      count -= 1
    }
  }
}

/// A new thread.
final class WorkThread: Sendable {
  private let done = Semaphore()

  init(_ work: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [done] in
      work()
      done.signal()
    }
  }

  /// Returns when the work is done.
  func join() { done.wait() }
}

/// Runs blocking work on a new thread, so that the test's thread pool stays free.
///
/// The result passes through a lock. The thread sanitizer once reported a data race for a result that a continuation
/// returned.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  let box = Locked<(@Sendable () -> Result)?>(work)
  let result = Locked<Result?>(nil)
  await withCheckedContinuation { continuation in
    _ = WorkThread {
      let value = callOnce(box)
      result.withLock { $0 = value }
      continuation.resume()
    }
  }
  guard let value = result.withLock({ $0.take() }) else { preconditionFailure("The work has no result.") }
  return value
}

/// Calls the work, and releases its captures before the test continues.
private func callOnce<Result>(_ box: borrowing Locked<(@Sendable () -> Result)?>) -> Result {
  guard let work = box.withLock({ $0.take() }) else { preconditionFailure("The work was called twice.") }
  return work()
}

/// An object whose release can be observed and awaited.
final class Token: Sendable {
  private let ends: Journal<Void>?

  init(_ ends: Journal<Void>? = nil) { self.ends = ends }

  /// At this time, weak references to it and to an object that is released with it are `nil`.
  deinit { ends?.write(()) }
}

/// A weak reference that is `Sendable`.
struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?
  init(_ object: Object) { self.object = object }
}

/// Lets another thread run.
func relax() {
  _ = sched_yield()
}

/// A number for the calling thread.
func threadNumber() -> UInt { currentThreadID() }

/// The resident memory of the process in kilobytes; 0 if it is unknown.
func residentKilobytes() -> Int {
  #if os(Linux)
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
  #else
    return 0
  #endif
}

/// Whether the address sanitizer is in this process. It keeps released memory for a while.
let keepsReleasedMemory: Bool = {
  #if os(Linux)
    return unsafe dlsym(nil, "__asan_init") != nil
  #else
    return false
  #endif
}()

/// Whether the long versions of the tests run: in release builds, and if `REELUX_STRESS` is set.
let isThorough: Bool = {
  #if DEBUG
    return ProcessInfo.processInfo.environment["REELUX_STRESS"] != nil
  #else
    return true
  #endif
}()

extension Trait where Self == ConditionTrait {
  /// For the tests of what only debug builds check.
  static var inDebugBuilds: ConditionTrait {
    #if DEBUG
      return .enabled(if: true)
    #else
      return .disabled("This is checked in debug builds only.")
    #endif
  }
}

extension StateProvider {
  /// Returns when the state fulfils the condition. Fails the test after two minutes.
  func reaches(location: SourceLocation = #_sourceLocation, _ isWanted: (State) -> Bool) async {
    let changes = ChangeCounter()
    let subscription = subscribe { _ in changes.add() }
    defer { subscription.cancel() }
    if await changes.wait(until: { isWanted(state) }, timeout: .seconds(120)) { return }
    Issue.record("After two minutes the state is \(state).", sourceLocation: location)
  }
}

extension Middleware where InputAction == OutputAction {
  /// Returns the same middleware for a state that may be absent.
  func lift<GlobalAction: Sendable, GlobalState: Sendable>(
    action: Prism<GlobalAction, InputAction>, optional state: any WritableKeyPath<GlobalState, State?> & Sendable
  ) -> Middleware<GlobalAction, GlobalAction, GlobalState> {
    Feature(middleware: self).lift(action: action, optional: state).middleware
  }
}

extension Store {
  /// Calls `body` with the state in place, without copying it. `body` must only read it.
  func withState<Result>(_ body: (State) -> Result) -> Result {
    core.cell.read { body($0.value) }
  }

  /// Sets what is called when a reader begins to wait for a reducer to end, for tests of the order.
  func whenAReaderWaits(_ body: @escaping @Sendable () -> Void) {
    core.cell.gate.waitingReadsLock.withLock { _ in core.cell.gate.waitingReads.whenAReaderWaits = body }
  }
}

/// An executor that runs a job on the thread that adds it.
final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
