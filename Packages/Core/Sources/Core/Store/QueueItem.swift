/// Something that waits in the inbox.
@usableFromInline
struct QueueItem<Action: Sendable>: Sendable {
  @usableFromInline
  enum Kind: Sendable {
    case action(Action, ActionSource)
    case work(@Sendable () -> Void)
  }

  @usableFromInline let kind: Kind
  @usableFromInline let context: ActionContext

  @inlinable
  init(_ kind: Kind, context: ActionContext = ActionContext()) {
    self.kind = kind
    self.context = context
  }
}

/// What an action has from the one that led to it.
@usableFromInline
struct ActionContext: Sendable {
  /// The effect that sent it; when that is cancelled first, the action is dropped.
  @usableFromInline var run: EffectRun?
  /// What its own effects belong to; `nil` for an action that nothing led to.
  @usableFromInline var group: EffectGroup?
  /// How many actions led to it without a task in between.
  @usableFromInline var generation = 0
  /// Whether the owner's own action led to it.
  @usableFromInline var isOwn = false

  /// Whether somebody has to be told when the action was processed.
  @inlinable
  var isTracked: Bool { run != nil || group != nil }

  @inlinable
  init() {}

  @inlinable
  init(run: EffectRun?, group: EffectGroup?) {
    self.run = run
    self.group = group
  }
}
