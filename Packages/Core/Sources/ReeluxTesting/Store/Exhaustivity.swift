/// The checks of a ``TestStore``.
///
/// By default, all checks are on. A test can turn off each of them separately:
///
/// ```swift
/// store.exhaustivity.remove(.receivedActions)   // receive may skip actions
/// ```
public struct Exhaustivity: OptionSet, Sendable {
  /// One bit for each check.
  public let rawValue: Int

  /// A set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Every change of the state must be stated. Without this check, only stated parts are compared.
  public static let stateChanges = Exhaustivity(rawValue: 1)
  /// Every action of an effect must be received, in order. Without this check, `receive` skips other actions.
  public static let receivedActions = Exhaustivity(rawValue: 2)
  /// No effect may be running at the end.
  public static let runningEffects = Exhaustivity(rawValue: 4)
  /// No feed may be open at the end.
  public static let openFeeds = Exhaustivity(rawValue: 8)

  /// All checks.
  public static let all: Exhaustivity = [.stateChanges, .receivedActions, .runningEffects, .openFeeds]
  /// No check.
  public static let none: Exhaustivity = []
}
