public import ReeluxCore
public import ReeluxLogger

/// Writes every action of a store into a file for an ``ActionPlayer``.
///
/// The file is JSON Lines: a header with the initial state, then a line for each action with its source, its time and
/// a checksum of the state after it. The recorder only appends to it. Encoding and writing happen off the pipeline. No
/// action is dropped: when the queue is full, the pipeline's thread writes too.
///
/// ```swift
/// let recorder = try ActionRecorder<AppAction, AppState>(path: "run.jsonl", app: "Movies", version: "1.0", seed: 42)
/// let feature = Feature<AppAction, AppState> {
///   Feature.movies(catalog: catalog).lift(action: .movies, state: \.movies)
///   Feature.recorder(recorder)
/// }
/// …
/// try recorder.close()
/// ```
///
/// A recording is not redacted, because a redacted one could not be replayed.
///
/// A recorder is for one store. A copy shares its file with the original.
public struct ActionRecorder<Action: Codable & Sendable, State: Codable & Sendable>: MiddlewareProtocol {
  private let queue: WriteQueue<RecordWriter<Action, State>>
  private let pace: RecordPace
  private let clock: LogClock
  private let failure: RecordFailure
  private let getter = KeptGetter<State>()

  /// Opens a file for a recording; the header is written when the store starts.
  /// - Parameters:
  ///   - path: The file. It must not exist, or be empty.
  ///   - app: The program's name, for the header.
  ///   - version: The program's version, for the header.
  ///   - seed: The seed of the program's random source, for the header.
  ///   - checksumEvery: The number of actions between two checksums; 0 for none. By default each of the first 256
  ///     states has a checksum. After that, checksums take at most a third of the time that writing the actions takes. The last
  ///     state always has one.
  ///   - capacity: The number of actions that may wait to be written.
  ///   - clock: The clock.
  /// - Throws: ``RecordingError``.
  public init(
    path: String, app: String, version: String, seed: UInt64? = nil, checksumEvery: Int? = nil, capacity: Int = 65_536,
    clock: LogClock = .system
  ) throws {
    let file = try RecordFile(creating: path)
    failure = RecordFailure()
    pace = RecordPace(checksumEvery: checksumEvery)
    self.clock = clock
    let header = RecordingHeader(app: app, version: version, seed: seed, began: clock.wallTime())
    queue = WriteQueue(
      LogQueue(capacity: capacity, whenFull: .wait),
      sink: RecordWriter(file: file, header: header, pace: pace, failure: failure), label: "reelux.recorder")
    LogShutdown.register(queue)
  }

  /// Writes the header with the initial state.
  public func start(state: GetState<State>) -> Effect<Action> {
    getter.keep(state)
    queue.enqueue(.begin(state()))
    return .none
  }

  /// Records an action, and after the reducers the state that it led to.
  public func handle(
    action: Action, from source: ActionSource, state: GetState<State>
  ) -> Effect<Action> {
    guard let number = pace.begin() else { return .none }
    let time = clock.wallTime()
    let begin = clock.uptime()
    return .afterReducer { [queue, clock, pace] _ in
      let duration = clock.uptime() - begin
      queue.enqueue(
        .action(
          ActionRecord(
            number: number, action: action, source: source, time: time, duration: duration, before: nil,
            after: pace.isDue(number) ? .init(state()) : nil)))
    }
  }

  /// Returns when everything up to here is in the file and on its disk.
  /// - Throws: The first failure of writing, ``RecordingError``; the file then ends before it.
  public func sync() throws {
    queue.flush(durably: true)
    if let error = failure.error { throw error }
  }

  /// Ends the recording with a line that says so, and with a checksum of the last state. Later actions are not recorded, nor
  /// is one that another thread is processing now: wait for the store first, with `await store.settle()`.
  /// - Throws: The first failure of writing, ``RecordingError``; the file then ends before it.
  public func close() throws {
    if let state = getter.take() {
      queue.enqueue(.end(pace.close() { state() }))
    }
    try sync()
  }
}

extension Feature where Action: Codable, State: Codable {
  /// A feature that records every action that reaches it, and changes nothing. Put it into the app, not into a lifted part.
  public static func recorder(_ recorder: ActionRecorder<Action, State>) -> Feature {
    Feature(middleware: Middleware(recorder))
  }
}

/// The way to the last state, until the recording is closed.
private final class KeptGetter<State: Sendable>: Sendable {
  private let getter = Locked<GetState<State>?>(nil)

  func keep(_ state: GetState<State>) { getter.withLock { $0 = state } }

  func take() -> GetState<State>? {
    getter.withLock { getter in
      defer { getter = nil }
      return getter
    }
  }
}

/// Numbers the actions of a recording from 1, and decides after which of them a checksum of the state is taken.
///
/// A state that waits for its checksum is kept alive, and the next change to a large collection in it copies the collection.
/// That, and the checksum itself, must not cost more than the actions: so the writer reports what each checksum took.
final class RecordPace: Sendable {
  private struct Count {
    var begun = 0
    var reduced = 0
    var isClosed = false
    /// States that were taken and have no checksum yet.
    var waiting = 0
    /// The number of the next action whose state is due.
    var next = 1
    /// The duration of the last checksum, in nanoseconds.
    var cost: Int64 = 0
  }

  /// The first actions all get a checksum: a short recording is checked at every action, whatever it costs.
  static let always = 256
  /// A state is taken after every so many actions in any case: it may become a snapshot.
  static let snapshotDistance = 10_000

  private let every: Int?
  private let count = Locked(Count())

  init(checksumEvery: Int?) { every = checksumEvery }

  /// The number of an action that begins; `nil` when the recording is closed.
  func begin() -> Int? {
    count.withLock { count in
      if count.isClosed { return nil }
      count.begun += 1
      return count.begun
    }
  }

  /// Whether the state after this action, which has been reduced, is wanted.
  func isDue(_ number: Int) -> Bool {
    count.withLock { count in
      count.reduced += 1
      let isWanted =
        if let every { every > 0 && number.isMultiple(of: every) } else {
          number <= Self.always
            || (number >= count.next && Int64(count.waiting) * count.cost < 30_000_000 && count.waiting < 4_096)
        }
      guard isWanted || number.isMultiple(of: Self.snapshotDistance) else { return false }
      count.waiting += 1
      return true
    }
  }

  /// Notes that a state was encoded, how long that took, and after how many actions the next one is due.
  func encoded(_ number: Int, took nanoseconds: Int64, spacing: Int) {
    count.withLock { count in
      count.waiting -= 1
      count.next = number + max(1, spacing)
      count.cost = nanoseconds
    }
  }

  /// Ends the numbering; reads the last state unless an action is on its way.
  func close<State>(_ state: () -> State) -> State? {
    let count = count.withLock { count in
      count.isClosed = true
      return count
    }
    return count.begun == count.reduced && every != 0 ? state() : nil
  }
}
