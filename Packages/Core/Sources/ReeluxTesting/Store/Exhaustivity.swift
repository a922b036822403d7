/// What a ``TestStore`` insists on.
///
/// Everything, unless a test takes kinds out, each on its own:
///
/// ```swift
/// store.exhaustivity.remove(.receivedActions)   // receive may skip actions
/// ```
public struct Exhaustivity: OptionSet, Sendable {
  /// One bit for each kind.
  public let rawValue: Int

  /// A set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Every change of the state must be stated. Without it, only what the closure states is compared.
  public static let stateChanges = Exhaustivity(rawValue: 1)
  /// Every action that effects send must be received, in its order. Without it, `receive` skips to the one it looks for.
  public static let receivedActions = Exhaustivity(rawValue: 2)
  /// No effect may be running at the end.
  public static let runningEffects = Exhaustivity(rawValue: 4)
  /// No feed may be open at the end.
  public static let openFeeds = Exhaustivity(rawValue: 8)

  /// All kinds.
  public static let all: Exhaustivity = [.stateChanges, .receivedActions, .runningEffects, .openFeeds]
  /// No kind: a test of a few facts among many.
  public static let none: Exhaustivity = []
}
