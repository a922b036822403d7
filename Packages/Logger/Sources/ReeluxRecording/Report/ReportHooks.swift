/// A point of a track on the report's map.
public struct ReportPoint: Hashable, Sendable {
  /// Degrees north, from -90 to 90.
  public var latitude: Double
  /// Degrees east, from -180 to 180.
  public var longitude: Double
  /// The point's name; empty for a point of the track.
  public var name: String

  /// Makes a point; one whose coordinates are not finite is left out of the map.
  public init(latitude: Double, longitude: Double, name: String = "") {
    self.latitude = latitude
    self.longitude = longitude
    self.name = name
  }
}

/// What one thing, a favourite say, is doing after an action.
public struct ReportStatus: Hashable, Sendable {
  /// How a span is drawn. Each has a colour and a word.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Waiting for an answer.
    case pending
    /// As it should be.
    case settled
    /// Failed, and rolled back.
    case rolledBack
    /// Nothing is known of it, for example because the answer does not say what was done.
    case unknown
    /// No span: what was drawn of the thing ends here.
    case none
  }

  /// The thing; all its spans are drawn in one lane of that name.
  public var lane: String
  /// What it is doing.
  public var kind: Kind
  /// More about it, shown with the span.
  public var note: String

  /// Makes a status.
  public init(lane: String, kind: Kind, note: String = "") {
    self.lane = lane
    self.kind = kind
    self.note = note
  }
}

/// An action of a recording with the states around it.
public struct ReportMoment<Action: Sendable, State: Sendable>: Sendable {
  /// The state before the action.
  public var before: State
  /// The action.
  public var action: Action
  /// The state after the action.
  public var after: State
}

/// What a report shows beyond actions and states. The app knows where its state keeps it.
public struct ReportHooks<Action: Sendable, State: Sendable>: Sendable {
  /// The point of the track that an action brought; `nil` for most actions.
  public var point: @Sendable (ReportMoment<Action, State>) -> ReportPoint?
  /// Places that the map shows by name, read from the last state.
  public var places: @Sendable (State) -> [ReportPoint]
  /// The things that a state begins with.
  public var initialStatuses: @Sendable (State) -> [ReportStatus]
  /// The things whose status an action may have changed; others keep theirs. Cost: should depend on the action only.
  public var statuses: @Sendable (ReportMoment<Action, State>) -> [ReportStatus]

  /// Makes hooks; without arguments, a report without map and lanes.
  public init(
    point: @escaping @Sendable (ReportMoment<Action, State>) -> ReportPoint? = { _ in nil },
    places: @escaping @Sendable (State) -> [ReportPoint] = { _ in [] },
    initialStatuses: @escaping @Sendable (State) -> [ReportStatus] = { _ in [] },
    statuses: @escaping @Sendable (ReportMoment<Action, State>) -> [ReportStatus] = { _ in [] }
  ) {
    self.point = point
    self.places = places
    self.initialStatuses = initialStatuses
    self.statuses = statuses
  }
}

/// Joins the statuses of successive states into spans.
struct SpanTracker {
  private struct OpenSpan {
    var status: ReportStatus
    var begin: Int
  }

  private var open: [String: OpenSpan] = [:]
  private var places: [String: Int] = [:]
  private var lanes: [JSONTree] = []
  private var closed: [JSONTree] = []

  /// Notes the statuses that an action may have changed; 0 is the initial state.
  mutating func note(_ statuses: [ReportStatus], at number: Int) {
    for status in statuses where open[status.lane]?.status != status {
      if let span = open.removeValue(forKey: status.lane) { close(span, at: number) }
      guard status.kind != .none else { continue }
      if places[status.lane] == nil {
        places[status.lane] = lanes.count
        lanes.append(.string(status.lane))
      }
      open[status.lane] = OpenSpan(status: status, begin: number)
    }
  }

  /// Ends all spans with the last action.
  mutating func finish(at number: Int) {
    for (_, span) in open.sorted(by: { $0.key < $1.key }) { close(span, at: number + 1) }
    open = [:]
  }

  private mutating func close(_ span: OpenSpan, at number: Int) {
    closed.append(
      .array([
        .number(places[span.status.lane] ?? 0), .string(span.status.kind.rawValue), .string(span.status.note),
        .number(span.begin), .number(number),
      ]))
  }

  /// The lanes in the order of their first span; and of each span the lane, the kind, the note, and the actions that begin
  /// and end it.
  var json: JSONTree {
    .object(["lanes": .array(lanes), "spans": .array(closed)])
  }
}
