public import ReeluxCore
public import ReeluxLogger

/// A middleware that writes every action of a store to a file for an ``ActionPlayer``.
///
/// The file is JSON Lines: a header with the initial state, and then a line for each action with its source and its
/// time. Some of these lines have a checksum of the state after the action. The recorder only appends to the file.
/// Encoding and writing happen on another thread. No action is dropped: when the queue is full, the pipeline's thread
/// waits until that thread takes the waiting actions, or writes them itself.
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
/// A recording is not redacted, because a redacted recording could not be replayed.
///
/// Use a recorder for only one store, and only once in its feature. A copy shares the file with the original. If the
/// recorder starts a second time, the recording ends: what it contains stays readable, nothing more is written, and
/// ``close()`` throws ``RecordingError/usedTwice(path:)``.
public struct ActionRecorder<Action: Codable & Sendable, State: Codable & Sendable>: MiddlewareProtocol {
  private let queue: WriteQueue<RecordWriter<Action, State>>
  private let pace: RecordPace
  private let clock: LogClock
  private let path: String
  private let failure: RecordFailure
  private let getter = KeptGetter<State>()

  /// Opens a file for a recording. The header is written when the store starts.
  /// - Parameters:
  ///   - path: The file. It must be missing or empty, and no other recorder may use it.
  ///   - app: The program's name, for the header.
  ///   - version: The program's version, for the header.
  ///   - seed: The seed of the program's random source, for the header. Default: none.
  ///   - checksumEvery: The number of actions between two checksums; 0 for no checksum after an action. By default,
  ///     each of the first 256 states and each 10,000th state has a checksum. After that, checksums may take 0.1 s,
  ///     plus a third of the time that the actions take. The last state has a checksum too, unless the number is 0.
  ///   - capacity: The number of actions that may wait to be written. Default: 65,536.
  ///   - clock: The clock of the times in the file. Default: the system's clock.
  /// - Throws: ``RecordingError``.
  public init(
    path: String, app: String, version: String, seed: UInt64? = nil, checksumEvery: Int? = nil, capacity: Int = 65_536,
    clock: LogClock = .system
  ) throws {
    self.init(
      try RecordFile(creating: path), app: app, version: version, seed: seed, checksumEvery: checksumEvery,
      capacity: capacity, clock: clock)
  }

  /// A recorder that opens its file when it writes the first action. So a program that fails earlier leaves the file as
  /// it is. Only ``sync()`` and ``close()`` report an error of opening or writing; nothing is written to standard
  /// error.
  ///
  /// - Parameters:
  ///   - path: The file. It must be missing or empty when the first action is written, unless it may be replaced.
  ///   - replacing: Whether the file is replaced. A new file is written, and gets the name of the old one after its
  ///     first write.
  package init(waitingAt path: String, replacing: Bool, app: String, version: String, seed: UInt64? = nil) {
    self.init(
      RecordFile(waitingAt: path, replacing: replacing), app: app, version: version, seed: seed, checksumEvery: nil,
      capacity: 65_536, clock: .system)
  }

  private init(
    _ file: RecordFile, app: String, version: String, seed: UInt64?, checksumEvery: Int?, capacity: Int, clock: LogClock
  ) {
    // The program that waits for the first action reports the error itself.
    failure = RecordFailure(isReported: !file.waitsForAction)
    pace = RecordPace(checksumEvery: checksumEvery)
    self.clock = clock
    path = file.path
    let header = RecordingHeader(app: app, version: version, seed: seed, began: clock.wallTime())
    queue = WriteQueue(
      LogQueue(capacity: capacity, whenFull: .wait),
      sink: RecordWriter(file: file, header: header, pace: pace, failure: failure), label: "reelux.recorder")
    LogShutdown.register(queue)
  }

  /// Writes the header with the initial state. The second call ends the recording.
  public func start(state: GetState<State>) -> Effect<Action> {
    guard getter.keep(state) else {
      // The recorder cannot distinguish the actions of two stores, so it records no more of either.
      queue.flush(durably: false)
      failure.note(.usedTwice(path: path))
      return .none
    }
    queue.enqueue(.begin(state()))
    return .none
  }

  /// Records an action after the reducers, with the state after it if this state gets a checksum.
  public func handle(
    action: Action, from source: ActionSource, state: GetState<State>
  ) -> Effect<Action> {
    guard let number = pace.begin() else { return .none }
    let time = clock.wallTime()
    let begin = clock.uptime()
    return .afterReducer { [queue, clock, pace] _ in
      let duration = clock.uptime() &- begin
      queue.enqueue(
        .action(
          ActionRecord(
            number: number, action: action, source: source, time: time, duration: duration, before: nil,
            after: pace.isDue(number) ? .init(state()) : nil)))
      pace.end()
    }
  }

  /// Returns when everything recorded so far is on the disk. It blocks the calling thread, which also
  /// writes the waiting actions.
  /// - Throws: The first failure of writing, ``RecordingError``. Nothing after this failure is in the file. Each later
  ///   call throws the same error.
  public func sync() throws {
    queue.flush(durably: true)
    if let error = failure.error { throw error }
  }

  /// Ends the recording with a last line, which contains a checksum of the last state. Later actions are not recorded.
  /// An action that is being processed is not recorded either, whether by another thread or by this one in an observer.
  /// So wait for the store first with `await store.settle()`.
  /// - Throws: The first failure of writing, ``RecordingError``. Nothing after this failure is in the file.
  public func close() throws {
    if let state = getter.take() {
      queue.enqueue(.end(pace.close() { state() }))
    }
    try sync()
  }
}

extension Feature where Action: Codable, State: Codable {
  /// A feature that records every action that reaches it. It changes nothing. Add it to the app, not to a lifted part.
  public static func recorder(_ recorder: ActionRecorder<Action, State>) -> Feature {
    Feature(middleware: Middleware(recorder))
  }
}

/// A getter of the last state, kept until the recording is closed.
private final class KeptGetter<State: Sendable>: Sendable {
  private struct Contents {
    var getter: GetState<State>?
    var hasBegun = false
  }

  private let contents = Locked(Contents())

  /// Keeps the getter. Returns false, and changes nothing, if there was one before.
  func keep(_ state: GetState<State>) -> Bool {
    contents.withLock { contents in
      if contents.hasBegun { return false }
      contents = Contents(getter: state, hasBegun: true)
      return true
    }
  }

  func take() -> GetState<State>? {
    contents.withLock { contents in
      defer { contents.getter = nil }
      return contents.getter
    }
  }
}

/// Numbers the actions of a recording from 1, and decides after which actions a checksum of the state is computed.
///
/// While a state waits for its checksum, it is kept, and the next change to a large collection in it copies the
/// collection. The writer reports how long each checksum took. From this, the pace limits the number of kept states.
final class RecordPace: Sendable {
  private struct Count {
    var begun = 0
    var ended = 0
    var isClosed = false
    /// The number of kept states whose checksum is not computed yet.
    var waiting = 0
    /// The number of the next action whose state gets a checksum.
    var next = 1
    /// The duration of the last checksum, in nanoseconds.
    var cost: Int64 = 0
  }

  /// The number of first actions that always get a checksum, so that a short recording is checked at every action.
  static let always = 256
  /// The number of actions after which a state is taken by default, because it may become a snapshot.
  static let snapshotDistance = 10_000

  private let every: Int?
  private let count = Locked(Count())

  init(checksumEvery: Int?) { every = checksumEvery }

  /// Returns the number of a new action, or `nil` if the recording is closed.
  func begin() -> Int? {
    count.withLock { count in
      if count.isClosed { return nil }
      count.begun += 1
      return count.begun
    }
  }

  /// Whether the state after this action gets a checksum. The action has been reduced.
  func isDue(_ number: Int) -> Bool {
    count.withLock { count in
      let isWanted =
        if let every { every > 0 && number.isMultiple(of: every) } else {
          number <= Self.always || number.isMultiple(of: Self.snapshotDistance)
            || (number >= count.next && Int64(count.waiting) * count.cost < 30_000_000 && count.waiting < 4_096)
        }
      guard isWanted else { return false }
      count.waiting += 1
      return true
    }
  }

  /// Records that an action is in the queue. A recording that ends before this does not contain the action.
  func end() { count.withLock { $0.ended += 1 } }

  /// Records that a state was encoded, the time this took, and the number of actions until the next one.
  func encoded(_ number: Int, took nanoseconds: Int64, spacing: Int) {
    count.withLock { count in
      count.waiting -= 1
      count.next = number + max(1, spacing)
      count.cost = nanoseconds
    }
  }

  /// Ends the numbering. Returns the last state; `nil` if an action is processed meanwhile, or if `checksumEvery` is 0.
  func close<State>(_ state: () -> State) -> State? {
    let begun = count.withLock { $0.begun == $0.ended ? $0.begun : nil }
    let last = every == 0 ? nil : state()
    let isLast = count.withLock { count in
      count.isClosed = true
      return count.begun == begun
    }
    return isLast ? last : nil
  }
}
