/// A point of a track on the report's map.
public struct ReportPoint: Hashable, Sendable {
  /// The latitude in degrees, from -90 to 90.
  public var latitude: Double
  /// The longitude in degrees, from -180 to 180.
  public var longitude: Double
  /// The name of a place; empty for a point of the track.
  public var name: String

  /// Creates a point. If its coordinates are not finite, the map does not show it.
  public init(latitude: Double, longitude: Double, name: String = "") {
    self.latitude = latitude
    self.longitude = longitude
    self.name = name
  }
}

/// The status of one item, such as a favourite, after an action.
public struct ReportStatus: Hashable, Sendable {
  /// The kind of a span. Each kind has a colour and a word.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A request is waiting for its response.
    case pending
    /// The item has its final value.
    case settled
    /// The change failed and was rolled back.
    case rolledBack
    /// The status is unknown, for example because the response does not say what the server did.
    case unknown
    /// No span. The item's previous span ends here.
    case none
  }

  /// The item. All its spans are drawn in one lane with this name.
  public var lane: String
  /// The kind of the status.
  public var kind: Kind
  /// Further text, which is shown with the span.
  public var note: String

  /// Creates a status.
  public init(lane: String, kind: Kind, note: String = "") {
    self.lane = lane
    self.kind = kind
    self.note = note
  }
}

/// An action of a recording with the states before and after it.
public struct ReportMoment<Action: Sendable, State: Sendable>: Sendable {
  /// The state before the action.
  public var before: State
  /// The action.
  public var action: Action
  /// The state after the action.
  public var after: State
}

/// The parts of an app's state that a report draws in addition to actions and states.
public struct ReportHooks<Action: Sendable, State: Sendable>: Sendable {
  /// The track point that an action adds; `nil` for most actions.
  public var point: @Sendable (ReportMoment<Action, State>) -> ReportPoint?
  /// Named places for the map, from the last state.
  public var places: @Sendable (State) -> [ReportPoint]
  /// The statuses in the initial state.
  public var initialStatuses: @Sendable (State) -> [ReportStatus]
  /// The statuses that an action may have changed. Other items keep theirs. The cost should depend on the action only.
  public var statuses: @Sendable (ReportMoment<Action, State>) -> [ReportStatus]

  /// Creates hooks. Without arguments, the report has no map and no lanes.
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

/// Joins the statuses of consecutive states to spans.
struct SpanTracker {
  private struct OpenSpan {
    var status: ReportStatus
    var begin: Int
  }

  private var open: [String: OpenSpan] = [:]
  private var places: [String: Int] = [:]
  private var lanes: [JSONTree] = []
  private var closed: [JSONTree] = []

  /// Adds the statuses that an action may have changed; 0 stands for the initial state.
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

  /// Ends all spans after the last action.
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

  /// The lanes in the order of their first span. Each span has its lane, its kind, its text, and the actions at its
  /// beginning and end.
  var json: JSONTree {
    .object(["lanes": .array(lanes), "spans": .array(closed)])
  }
}
