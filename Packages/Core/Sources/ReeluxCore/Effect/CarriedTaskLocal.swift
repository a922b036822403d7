/// Runs work with bound task-local values.
@usableFromInline typealias TaskLocalBinding = @Sendable (@escaping BoundWork) async -> Void
@usableFromInline typealias BoundWork = nonisolated(nonsending) @Sendable () async -> Void

/// A task-local value that a store carries from a dispatch to the tasks of the resulting effects.
///
/// By default, the task of an effect reads the default of every task-local value. A server that traces requests can
/// specify the values to carry:
///
/// ```swift
/// enum Trace { @TaskLocal static var id = "none" }
///
/// let store = Store(initialState: State(), feature: feature, carries: [CarriedTaskLocal(Trace.$id)])
/// Trace.$id.withValue("request 7") { store.dispatch(.load) }  // `.load`'s effects read "request 7"
/// ```
///
/// The effects of follow-up actions read the same values. Middlewares and after-reducer work read those of the thread
/// that runs the pipeline. Feeds read the defaults, because they belong to the state and not to a dispatch.
public struct CarriedTaskLocal: Sendable {
  let capture: @Sendable () -> TaskLocalBinding

  /// Creates a value to carry.
  public init<Value: Sendable>(_ local: TaskLocal<Value>) {
    capture = {
      let value = local.wrappedValue
      return { work in await local.withValue(value) { await work() } }
    }
  }
}

extension [CarriedTaskLocal] {
  /// The values of the calling task; `nil` if none is carried.
  func captured() -> TaskLocalBinding? {
    var all: TaskLocalBinding?
    for local in self {
      let outer = local.capture()
      if let inner = all { all = { work in await outer { await inner(work) } } } else { all = outer }
    }
    return all
  }
}
