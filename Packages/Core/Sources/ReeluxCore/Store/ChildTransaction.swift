/// A child store's share in an action that it and its root process together.
@usableFromInline
struct ChildTransaction {
  /// Names the child's action and its source, for a diagnosis.
  @usableFromInline let describe: () -> String
  /// Reduces the child's state; returns whether the child accepted the action.
  @usableFromInline let reduce: () -> Bool
  /// Calls the child's observers, unless the root's notification already did.
  @usableFromInline let notify: () -> Void
  /// Carries out what the child's middlewares answered.
  @usableFromInline let effects: () -> Void

  @usableFromInline
  init(
    describe: @escaping () -> String, reduce: @escaping () -> Bool, notify: @escaping () -> Void,
    effects: @escaping () -> Void
  ) {
    self.describe = describe
    self.reduce = reduce
    self.notify = notify
    self.effects = effects
  }
}

extension StoreCore {
  /// A child's action together with the root action that it means; called by the owner only.
  @inlinable
  func process(
    _ action: Action?, from source: ActionSource, context: ActionContext, child: ChildTransaction
  ) {
    guard let action else { return processLocally(child) }
    withUnsafePointer(to: action) { action in
      withUnsafePointer(to: source) { place in
        memory.pointee.currentSource = place
        if memory.pointee.interceptors.isEmpty {
          if processPrepared(action, source, context: context, child: child) {
            cell.gate.endReducing()
          }
        } else {
          processIntercepting(action, source, context: context, child: child)
        }
      }
    }
  }

  /// A child's action that means nothing to the root.
  @usableFromInline
  func processLocally(_ child: ChildTransaction) {
    memory.pointee.currentAction = nil
    memory.pointee.describeChildAction = child.describe
    cell.gate.beginReducing()
    let changed = child.reduce()
    if changed { cell.childChanges.pointee &+= 1 }
    cell.gate.endReducing()
    memory.pointee.describeChildAction = nil
    if changed { child.notify() }
    if changed && !memory.pointee.parts.isEmpty { endGoneParts { $0 == .whole } }
    child.effects()
    sweepObservers()
  }
}
