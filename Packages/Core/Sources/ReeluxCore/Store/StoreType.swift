/// A type that takes actions and provides a state: a store, a projection, a
/// child store.
public protocol StoreType<Action, State>: ActionHandler, StateProvider {}
