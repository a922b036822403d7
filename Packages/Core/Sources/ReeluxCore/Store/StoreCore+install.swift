import Synchronization

extension StoreCore {
  /// Adds a feature at the end, and returns its number. Only the thread that
  /// runs the pipeline calls it.
  @usableFromInline
  func add(_ feature: Feature<Action, State>) -> Int {
    let installation = memory.pointee.nextInstallation
    memory.pointee.nextInstallation += 1
    for unit in feature.reducer.units {
      memory.pointee.reducers.append(ReducerBox(unit, installation: installation))
    }
    var new: [MiddlewareBox<Action, State>] = []
    for unit in feature.middleware.units {
      new.append(
        MiddlewareBox(unit, state: getState, owner: memory.pointee.nextOwner, installation: installation))
      memory.pointee.nextOwner += 1
    }
    memory.pointee.middlewares += new
    for decide in feature.interceptor.units {
      memory.pointee.interceptors.append((decide, installation))
    }
    membersChanged()
    if !new.isEmpty {
      let group = newGroup()
      for middleware in new {
        execute(middleware.start(), EffectContext(owner: middleware.owner, group: group), sink: self)
        updateFeeds(of: middleware)
      }
    }
    return installation
  }

  /// Removes a feature, and ends its effects and feeds. Only the thread that
  /// runs the pipeline calls it.
  @usableFromInline
  func remove(installation: Int) {
    let removed = (
      memory.pointee.reducers.filter { $0.installation == installation },
      memory.pointee.middlewares.filter { $0.installation == installation }
    )
    let owners = Set(removed.1.map(\.owner))
    effects.cancel(owners: owners)
    memory.pointee.throttles = memory.pointee.throttles.filter { !owners.contains($0.key.owner) }
    memory.pointee.reducers.removeAll { $0.installation == installation }
    memory.pointee.middlewares.removeAll { $0.installation == installation }
    memory.pointee.interceptors.removeAll { $0.installation == installation }
    membersChanged()
    withExtendedLifetime(removed) {}
  }

  @usableFromInline
  func membersChanged() {
    memory.pointee.feeders = memory.pointee.childFeeders
    for middleware in memory.pointee.middlewares where middleware.feeds != nil {
      memory.pointee.feeders.append(
        Feeder(span: middleware.span) { [unowned self] in self.updateFeeds(of: middleware) })
    }
    memory.pointee.interceptor = Interceptor(units: memory.pointee.interceptors.map(\.decide))
    memory.pointee.resetRoutes()
    let first: PipelineMachine.Phase =
      memory.pointee.interceptors.isEmpty
      ? memory.pointee.middlewares.isEmpty ? .reducing : .handling : .intercepting
    firstPhase.store(first.bits, ordering: .relaxed)
  }
}
