/// Something that takes actions and provides a state.
public protocol StoreType<Action, State>: ActionHandler, StateProvider {}
