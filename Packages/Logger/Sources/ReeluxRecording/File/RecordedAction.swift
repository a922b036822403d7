public import ReeluxCore

/// One action of a recording, with its checksums and without states.
public struct RecordedAction<Action: Sendable>: Sendable {
  /// The number of the action, counted from 1.
  public var number: Int
  /// The action.
  public var action: Action
  /// The place that dispatched the action.
  public var source: ActionSource
  /// The time at which the action reached the recorder, in nanoseconds since 1970.
  public var time: Int64
  /// The time from the recorder's `handle` to its after-reducer work, in nanoseconds. It covers the middlewares to the
  /// right of the recorder, the reducers and the observers.
  public var duration: Int64
  /// The checksum of the state after the action; `nil` if none was computed.
  public var checksum: String?
  /// The checksums of the state's properties that changed since the previous checksum. A removed property has an empty
  /// text.
  public var parts: [String: String]

  /// Creates a recorded action from its parts.
  public init(
    number: Int, action: Action, source: ActionSource, time: Int64 = 0, duration: Int64 = 0, checksum: String? = nil,
    parts: [String: String] = [:]
  ) {
    self.number = number
    self.action = action
    self.source = source
    self.time = time
    self.duration = duration
    self.checksum = checksum
    self.parts = parts
  }
}

extension RecordedAction: Equatable where Action: Equatable {}
