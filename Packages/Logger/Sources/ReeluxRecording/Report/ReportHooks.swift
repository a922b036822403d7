/// A point of a track on the report's map.
public struct ReportPoint: Hashable, Sendable {
  /// Degrees north, from -90 to 90.
  public var latitude: Double
  /// Degrees east, from -180 to 180.
  public var longitude: Double

  /// Makes a point; what is no number is left out of the map.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// What one thing, a favourite say, is doing while the state is as it is.
public struct ReportStatus: Hashable, Sendable {
  /// How a span is drawn. Each has a colour and a word.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Waiting for an answer.
    case pending
    /// As it should be.
    case settled
    /// Failed, and rolled back.
    case rolledBack
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

/// What a report shows beyond actions and states: the app knows where its state keeps it.
public struct ReportHooks<Action: Sendable, State: Sendable>: Sendable {
  /// The point of the track that an action brought, given the state after it; `nil` for most actions.
  public var point: @Sendable (Action, State) -> ReportPoint?
  /// What each thing is doing in a state. A span lasts as long as the same status is told again.
  public var statuses: @Sendable (State) -> [ReportStatus]

  /// Makes hooks; without arguments, a report without map and lanes.
  public init(
    point: @escaping @Sendable (Action, State) -> ReportPoint? = { _, _ in nil },
    statuses: @escaping @Sendable (State) -> [ReportStatus] = { _ in [] }
  ) {
    self.point = point
    self.statuses = statuses
  }
}
