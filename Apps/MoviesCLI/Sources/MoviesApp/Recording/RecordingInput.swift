import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxRecording

/// Recordings of this app, and the facts about the app that the recording module needs.
enum RecordingInput {
  typealias AppRecording = Recording<AppAction, AppState>

  /// Opens a recording; `-` is standard input.
  static func open(_ file: String) throws(CommandFailure) -> AppRecording {
    try InputFile.checkIsNoOutput(file)
    do {
      if file == "-" {
        let input = try InputReader(file)
        var bytes: [UInt8] = []
        var hasHeader = false
        // An input that does not begin with a header may have no end.
        while bytes.isEmpty || bytes[0] == UInt8(ascii: "{"), let piece = try input.next() {
          bytes += piece
          if hasHeader || !piece.contains(UInt8(ascii: "\n")) { continue }
          hasHeader = true
          let line = bytes.prefix(through: bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0)
          _ = try AppRecording(bytes: line, name: "standard input")
        }
        return try AppRecording(bytes: bytes, name: "standard input")
      }
      try InputFile.check(file)
      return try AppRecording(path: file)
    } catch {
      throw failure(error, file)
    }
  }

  /// Throws if a number is larger than that of the last action. Damage explains why the action is missing.
  static func check(_ number: Int?, _ recording: AppRecording, _ file: String) throws(CommandFailure) {
    guard let number, number > recording.count else { return }
    try checkWhole(recording)
    throw CommandFailure(
      "\(InputFile.name(file)): there is no action \(number); the last one is \(recording.count)", .failed)
  }

  /// Throws if the recording is readable but damaged or incomplete: a line was changed, or the end is missing.
  static func checkWhole(_ recording: AppRecording) throws(CommandFailure) {
    if let damage = recording.damage { throw CommandFailure("\(damage)", .failed) }
    if let unfinished = RecordingUnfinished(recording) { throw CommandFailure("\(unfinished)", .failed) }
  }

  /// Whether the recording is neither damaged nor incomplete.
  static func isWhole(_ recording: AppRecording) -> Bool {
    recording.damage == nil && RecordingUnfinished(recording) == nil
  }

  /// The failure for an error. Damage, differences and missing actions have exit code 1. A system error and a missing
  /// catalogue count as missing input, an output that is not replaced as failed output, and any other error as bad
  /// data.
  static func failure(_ error: any Error, _ file: String) -> CommandFailure {
    switch error {
    case let failure as CommandFailure: failure
    case let damage as RecordingDamage: CommandFailure("\(damage)", .failed)
    case let difference as PlaybackDifference: CommandFailure("\(InputFile.name(file)): \(difference)", .failed)
    case RecordingError.noSuchActions: CommandFailure("\(error)", .failed)
    case RecordingError.system: CommandFailure("\(error)", .missingInput)
    case RecordingError.unknownContent(_, _, let reason) where reason.contains(Catalog.missingFile):
      CommandFailure("\(error)", .missingInput)
    case RecordingError.exists, RecordingError.wouldReplaceInput: CommandFailure("\(error)", .inputOutput)
    case is RecordingError: CommandFailure("\(error)", .badData)
    default: CommandFailure("\(InputFile.name(file)): \(error)", .badData)
    }
  }

  /// The names of the app for a generated test.
  static let test = GeneratedTest.Setting(
    imports: ["import ReeluxCore", "@testable import MoviesApp"], state: "AppState", reducer: "Reducer.app")

  /// The parts of the state that a report draws: the walk, the cinemas, and the pending favourites.
  static let hooks = ReportHooks<AppAction, AppState>(
    point: { moment in
      guard case .location = moment.action, moment.after.location.position.fixes > 0,
        moment.after.location.position.fixes != moment.before.location.position.fixes,
        let fix = moment.after.location.position.latest
      else { return nil }
      return ReportPoint(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
    },
    places: { state in
      state.cinemas.cinemas.map {
        ReportPoint(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude, name: $0.name)
      }
    },
    initialStatuses: { state in state.favorites.ids.map { status($0, state.favorites) } },
    statuses: { moment in concerned(moment).map { status($0, moment.after.favorites) } })

  /// The favourites that an action concerns: those that it contains, and those whose request it starts or ends.
  private static func concerned(_ moment: ReportMoment<AppAction, AppState>) -> [Movie.ID] {
    guard case .favorites(let action) = moment.action else { return [] }
    let (before, after) = (moment.before.favorites, moment.after.favorites)
    switch action {
    case .toggle(let id), .set(let id, _), .retry(let id), .dismiss(let id): return [id]
    case .setAll(let ids, _): return ids
    case .undo, .removeAll, .reset: return Set(before.ids).symmetricDifference(after.ids).sorted()
    case .retryAll, .response(.expired), .response(.interrupted): return before.pending + before.failed
    case .response(.confirmed(let request, _)), .response(.failed(let request, _)): return [request.id]
    case .response(.due(let id, _, _)), .response(.pushed(.set(let id, _, _), _)): return [id]
    case .response(.loaded(let snapshot, _)), .response(.pushed(.replaced(let snapshot), _)):
      return Array(snapshot.ids) + before.confirmed.filter { !snapshot.ids.contains($0) }
    case .load, .dismissNotices, .follow, .unfollow, .response: return []
    }
  }

  private static func status(_ id: Movie.ID, _ favorites: FavoritesState<Movie.ID>) -> ReportStatus {
    if favorites.isSettled(id) { return ReportStatus(lane: id, kind: favorites.contains(id) ? .settled : .none) }
    if favorites.isPending(id) {
      return ReportStatus(lane: id, kind: .pending, note: favorites.contains(id) ? "to be added" : "to be removed")
    }
    let note = favorites.failure(of: id)?.reason ?? ""
    return ReportStatus(lane: id, kind: favorites.isCertain(id) ? .rolledBack : .unknown, note: note)
  }
}
