public import ReeluxCore
public import ReeluxLogger

/// Writes every action of a store into a file, so that ``ActionPlayer`` can run them again.
///
/// The file is JSON Lines: a header with the initial state, then a line for each action with its source, its time and a
/// checksum of the state after it. It is only ever appended to. Encoding and writing happen off the pipeline; nothing is
/// ever dropped: when the queue is full, the pipeline helps writing.
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
/// A recording holds actions and initial state as they are; nothing is redacted, as it could not be replayed then. The
/// states between recording and writing are kept, as ``LogDetail/changes`` describes. Each checksum costs a walk over the
/// whole state on the writer's thread, unless the state is equal to the one before; see `checksumEvery`.
///
/// A recorder is for one store. A copy shares its file with the original.
public struct ActionRecorder<Action: Codable & Sendable, State: Codable & Sendable>: MiddlewareProtocol {
  private let queue: WriteQueue<RecordWriter<Action, State>>
  private let count = RecordCount()
  private let clock: LogClock
  private let checksumEvery: Int
  private let failure: RecordFailure

  /// Opens a file for a recording; the header is written when the store starts.
  /// - Parameters:
  ///   - path: The file. It must not exist, or be empty.
  ///   - app: The program's name, for the header.
  ///   - version: The program's version, for the header.
  ///   - seed: The seed of the program's random source, for the header.
  ///   - checksumEvery: A checksum is taken of every so many states. Default 1: of each. 0: of none.
  ///   - queue: How many actions may wait; its policy is always to wait.
  ///   - clock: Where the time is read.
  /// - Throws: ``RecordingError``.
  public init(
    path: String, app: String, version: String, seed: UInt64? = nil, checksumEvery: Int = 1, capacity: Int = 65_536,
    clock: LogClock = .system
  ) throws {
    let file = try RecordFile(creating: path)
    failure = RecordFailure()
    self.clock = clock
    self.checksumEvery = max(0, checksumEvery)
    let header = RecordingHeader(app: app, version: version, seed: seed, began: clock.wallTime())
    queue = WriteQueue(
      LogQueue(capacity: capacity, whenFull: .wait),
      sink: RecordWriter(file: file, header: header, failure: failure), label: "reelux.recorder")
    LogShutdown.register(queue)
  }

  /// Writes the header with the initial state.
  public func start(state: GetState<State>) -> Effect<Action> {
    queue.enqueue(.begin(state()))
    return .none
  }

  /// Takes down an action, and after the reducers the state that it led to.
  public func handle(
    action: Action, from source: ActionSource, state: GetState<State>
  ) -> Effect<Action> {
    let number = count.next()
    let time = clock.wallTime()
    let begin = clock.uptime()
    let takesChecksum = checksumEvery > 0 && number.isMultiple(of: checksumEvery)
    return .afterReducer { [queue, clock] _ in
      let recorded = RecordedAction(
        number: number, action: action, source: source, time: time, duration: clock.uptime() - begin)
      queue.enqueue(.action(recorded, takesChecksum ? state() : nil))
    }
  }

  /// Returns when everything up to here is in the file and on its disk.
  /// - Throws: The first failure of writing, ``RecordingError``; the file then ends before it.
  public func sync() throws {
    queue.flush(durably: true)
    if let error = failure.error { throw error }
  }

  /// Ends the recording: writes and syncs everything. Actions that come later are still recorded.
  public func close() throws { try sync() }
}

extension Feature where Action: Codable, State: Codable {
  /// A feature that records every action that reaches it, and changes nothing. Put it into the app, not into a lifted part.
  public static func recorder(_ recorder: ActionRecorder<Action, State>) -> Feature {
    Feature(middleware: Middleware(recorder))
  }
}
