public import ReeluxCore

/// One action of a recording, as its line in the file says it: with checksums, and without the states.
public struct RecordedAction<Action: Sendable>: Sendable {
  /// Its place, counted from 1.
  public var number: Int
  /// The action.
  public var action: Action
  /// The place that dispatched it.
  public var source: ActionSource
  /// The time at which it reached the recorder, in nanoseconds since 1970.
  public var time: Int64
  /// The duration of reducers and observers, in nanoseconds.
  public var duration: Int64
  /// The checksum of the state after it; `nil` if none was taken.
  public var checksum: String?
  /// The checksums of the state's properties that changed since the checksum before.
  public var parts: [String: String]

  /// Makes one from its parts.
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
