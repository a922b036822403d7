public import ReeluxCore
public import ReeluxDiff
public import Foundation

/// The record of one action, with all parts as text.
public struct LogRecord: Hashable, Sendable {
  /// The number of the action among all actions that reached the logger, counted from 1. Actions without a record are
  /// counted, too.
  public var number: Int
  /// The time at which the action reached the logger.
  public var time: Date
  /// The names of the action's nested cases, without values: `favorites.toggle`.
  public var name: String
  /// The action with its values: `.favorites(.toggle("metropolis-1927"))`.
  public var action: String
  /// The place that dispatched the action.
  public var source: ActionSource
  /// The changes of the action; `nil` without ``LogDetail/changes``.
  public var difference: ValueDifference?
  /// The state before the action; `nil` without ``LogDetail/states``.
  public var before: String?
  /// The state after the action; `nil` without ``LogDetail/states``.
  public var after: String?
  /// The time from the logger's `handle` to its after-reducer work. It covers the middlewares to the right of the
  /// logger, the reducers and the observers. `nil` without ``LogDetail/timing``.
  public var duration: Duration?
  /// The number of equal consecutive actions in this record; 1 without folding.
  public var repeats: Int
  /// The number of records that the rate limit left out before this one, and between the actions of a folded one.
  public var suppressed: Int
  /// The number of records before this one that were dropped because the queue was full.
  public var lost: Int

  /// Creates a record from its parts.
  public init(
    number: Int, time: Date, name: String, action: String, source: ActionSource, difference: ValueDifference? = nil,
    before: String? = nil, after: String? = nil, duration: Duration? = nil, repeats: Int = 1, suppressed: Int = 0,
    lost: Int = 0
  ) {
    self.number = number
    self.time = time
    self.name = name
    self.action = action
    self.source = source
    self.difference = difference
    self.before = before
    self.after = after
    self.duration = duration
    self.repeats = repeats
    self.suppressed = suppressed
    self.lost = lost
  }
}
