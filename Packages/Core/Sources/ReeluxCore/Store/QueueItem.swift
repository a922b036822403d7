/// Something that waits in the queue.
@usableFromInline
struct QueueItem<Action: Sendable>: QueuedItem {
  @usableFromInline
  enum Kind: Sendable {
    case action(Action, ActionSource)
    case followUp(FollowUp<Action>)
    case work(@Sendable () -> Void)
  }

  @usableFromInline let kind: Kind
  @usableFromInline let context: ActionContext

  @inlinable
  init(_ kind: Kind, context: ActionContext = ActionContext()) {
    self.kind = kind
    self.context = context
  }

  @inlinable
  var isOwn: Bool { context.isOwn }
}

/// The facts that an action inherits from the action that led to it.
@usableFromInline
struct ActionContext: Sendable {
  /// The effect that sent it, or what its own effects belong to; `nil` for an action that nothing led to.
  @usableFromInline let origin: SendOrigin?
  /// How many actions led to it without a task in between.
  @usableFromInline var generation = 0
  /// Whether the running thread's own action led to it.
  @usableFromInline var isOwn = false
  /// The priority of the dispatch that led to it; 0 before it is put into the queue.
  @usableFromInline var priority: UInt8 = 0

  @inlinable
  init(_ origin: SendOrigin? = nil) {
    self.origin = origin
  }

  /// Whether the effect that sent it was cancelled: then it is dropped.
  @inlinable
  var isCancelled: Bool {
    switch origin {
    case .run(let run), .last(let run): run.isCancelled
    case .part(let part, _): part.hasEnded
    case .group, .outside, nil: false
    }
  }

  /// What its own effects belong to.
  @inlinable
  var group: EffectGroup? {
    switch origin {
    case .run(let run), .last(let run): run.group
    case .group(let group), .part(_, let group): group
    case .outside, nil: nil
    }
  }
}
