public import ReeluxCore
public import ReeluxDiff
public import Foundation

/// The record of one action: all parts as text, ready to be formatted.
public struct LogRecord: Hashable, Sendable {
  /// The place of the action among all that the logger was given, counted from 1; filtered ones have none.
  public var number: Int
  /// When the action reached the logger.
  public var time: Date
  /// The names of the action's nested cases, without values: `favorites.toggle`.
  public var name: String
  /// The action with its values: `.favorites(.toggle("metropolis-1927"))`.
  public var action: String
  /// The place that dispatched the action.
  public var source: ActionSource
  /// The changes by the action; `nil` without ``LogDetail/changes``.
  public var difference: ValueDifference?
  /// The state before the action; `nil` if the logger was not asked for it.
  public var before: String?
  /// The state after the action; `nil` if the logger was not asked for it.
  public var after: String?
  /// The time from the logger's `handle` to its after-reducer work: the middlewares to its right, the reducers and the
  /// observers. `nil` if the logger was not asked for it.
  public var duration: Duration?
  /// The number of equal actions in a row in this record; 1 unless bursts are folded.
  public var repeats: Int
  /// The number of records before this one that the rate limit left out.
  public var suppressed: Int
  /// The number of records before this one that were dropped because the queue
  /// was full.
  public var lost: Int

  /// Makes a record from its parts.
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
