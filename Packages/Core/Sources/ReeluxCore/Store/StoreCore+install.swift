import Synchronization

extension StoreCore {
  /// Adds a feature at the end and returns its number. Only the thread that runs the pipeline calls it.
  @usableFromInline func add(_ feature: Feature<Action, State>) -> Int {
    let installation = memory.value.nextInstallation
    memory.value.nextInstallation += 1
    for unit in feature.reducer.units {
      memory.value.reducers.append(ReducerBox(unit, installation: installation))
    }
    let new = feature.middleware.units.map { MiddlewareBox($0, span: $0.liftPath.span, installation: installation) }
    memory.value.middlewares += new
    for decide in feature.interceptor.units {
      memory.value.interceptors.append((decide, installation))
    }
    featuresChanged()
    start(ContiguousArray(new), getState, in: [], sink: self)
    return installation
  }

  /// Starts new middlewares of a store or of a child store, and opens their feeds. Only the thread that runs the
  /// pipeline calls it.
  ///
  /// - Parameter links: The child store, and its parents that are child stores.
  @usableFromInline func start<Sink: EffectSink, Part: Sendable>(
    _ middlewares: ContiguousArray<MiddlewareBox<Sink.Sent, Part>>, _ state: GetState<Part>,
    in links: [MemoryCell<ChildLink>], sink: Sink
  ) {
    if middlewares.isEmpty { return }
    let group = newGroup()
    for middleware in middlewares {
      execute(middleware.unit.start(state), of: middleware.owner, group, sink: sink)
      if !middleware.unit.hasFeeds { continue }
      let owner = middleware.owner
      owner.updateFeeds = { [self] in updateFeeds(of: middleware, state, sink: sink) }
      memory.value.feeders.append(owner)
      for link in links { link.value.feeders.append(owner) }
      owner.updateFeeds()
    }
    invalidateWatchers()
  }

  /// Removes a feature and ends its effects and feeds. Only the thread that runs the pipeline calls it.
  @usableFromInline func remove(installation: Int) {
    // The old lists are released last, because the release of a member may call code of the app.
    let (reducers, middlewares) = (memory.value.reducers, memory.value.middlewares)
    cancel(owners: Set(middlewares.filter { $0.installation == installation }.map(\.owner)))
    memory.value.reducers.removeAll { $0.installation == installation }
    memory.value.middlewares.removeAll { $0.installation == installation }
    memory.value.interceptors.removeAll { $0.installation == installation }
    featuresChanged()
    withExtendedLifetime((reducers, middlewares)) {}
  }

  /// Updates everything that depends on the lists of reducers, middlewares and interceptors.
  private func featuresChanged() {
    memory.value.interceptor = Interceptor(units: memory.value.interceptors.map(\.decide))
    memory.value.routes = Members()
    invalidateWatchers()
    let first: PipelineMachine.Phase =
      !memory.value.interceptors.isEmpty ? .intercepting : !memory.value.middlewares.isEmpty ? .handling : .reducing
    firstPhase.store(first.bits, ordering: .relaxed)
  }
}

/// A handle that can remove an installed feature.
///
/// Releasing it does not remove the feature.
public final class Installation: Sendable {
  private let work: @Sendable () -> Void

  @usableFromInline init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  /// Removes the feature. It handles no action that is dispatched afterwards, and its effects and feeds end.
  ///
  /// Its changes of the state remain. A second call has no effect.
  public func remove() {
    work()
  }
}
