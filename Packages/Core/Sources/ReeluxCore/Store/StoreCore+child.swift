/// The root of child stores.
extension StoreCore: ParentPipeline, RootPipeline {
  @usableFromInline var root: any RootPipeline { self }
  @usableFromInline var current: State { cell.pointer.pointee }
  @usableFromInline var generation: Int { memory.pointee.current.generation }

  @usableFromInline
  func read<Result>(_ body: () -> Result) -> Result {
    cell.read { _ in body() }
  }

  @usableFromInline
  func enter(_ me: UInt, group: EffectGroup?) -> Bool {
    guard enter(me) else { return false }
    memory.pointee.current.group = group
    return true
  }

  @usableFromInline
  func enqueue(
    _ context: ActionContext, _ me: UInt, _ deed: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void
  ) -> ActionTask.Progress {
    if context.origin == nil { return enqueueFresh(.work(work), me, deed()) }
    enqueue(.work(work), context, me, deed())
    return .finished
  }

  @usableFromInline
  func takeOwner() -> Int {
    defer { memory.pointee.nextOwner += 1 }
    return memory.pointee.nextOwner
  }

  @usableFromInline
  func dropsRunaway(_ action: Action?, from source: ActionSource) -> Bool {
    guard let action, let runawayGuard, generation > runawayGuard.limit else { return false }
    runawayGuard.report(DispatchedAction(action, source: source))
    return true
  }

  @usableFromInline
  func process(_ action: Action?, from source: ActionSource, child: any ChildStages) {
    guard let action else { return processLocally(child) }
    withUnsafePointer(to: action) { action in
      withUnsafePointer(to: source) { place in
        memory.pointee.current.source = place
        if memory.pointee.interceptors.isEmpty {
          processIntercepted(action, source, child: child)
        } else {
          processIntercepting(action, source, child: child)
        }
      }
    }
  }

  /// A child's action that means nothing to the root.
  @usableFromInline
  func processLocally(_ child: any ChildStages) {
    memory.pointee.current.action = nil
    memory.pointee.current.describeChild = child.describe
    cell.gate.move(to: .reducing)
    let changed = child.reduce()
    if changed { cell.childChanges.pointee &+= 1 }
    cell.gate.move(to: .notifying)
    memory.pointee.current.describeChild = nil
    if changed {
      child.notify()
      if !memory.pointee.parts.isEmpty { endGoneParts { $0 == .whole } }
      child.updateFeeds()
    }
    cell.gate.move(to: .startingEffects)
    child.startEffects()
    sweepObservers()
  }

  @usableFromInline
  func subscribe(
    _ observer: ChildObserver, joined: @escaping @Sendable () -> Void, snapshot: () -> () -> Void
  ) -> Subscription {
    subscribe(
      Observer(span: .whole, end: observer.finish) { _ in observer.notify() }, joined: joined,
      snapshot: { _ in snapshot() }, seesChildren: true)
  }

  /// It is one of this store's observers already.
  @usableFromInline func join(_ observer: ChildObserver) {}
  @usableFromInline func sweep(_ observer: ChildObserver) {}

  @usableFromInline
  func join(_ feeder: Feeder) {
    memory.pointee.childFeeders.append(feeder)
    membersChanged()
  }

  @usableFromInline
  func sweep(_ feeder: Feeder) {
    memory.pointee.childFeeders.removeAll { $0 === feeder }
    membersChanged()
  }
}
