/// A field that a tracker has read since the last change of the field.
///
/// The store removes the field when it notifies the tracker. A tracker is called once, and reads the field again if it
/// still needs it. An update therefore compares only the fields that were read since their last change.
struct TrackedField<State: Sendable> {
  let registration = Registration()
  let areEqual: (State, State) -> Bool
}

/// The key of a field.
struct FieldKey: Hashable {
  enum Kind: Hashable {
    case value, ids, item, navigation, part(ProjectionKey), elements(ProjectionKey)
    /// A read without a comparison. It has its own key, because generic code can read a field in this way that other
    /// code compares.
    case touch
    /// A generic function may read a part without its identity, although the type has one.
    case presence(hasIdentity: Bool)
  }

  let path: AnyKeyPath
  let kind: Kind
}

/// The key of a projection: the type of its actions, and the place that creates it.
///
/// The closure that maps the actions cannot be compared, so the place of the call is compared instead.
struct ProjectionKey: Hashable {
  let action: ObjectIdentifier
  let file: String
  let line: UInt
  let column: UInt

  init<Action>(action: Action.Type, file: StaticString, line: UInt, column: UInt) {
    self.action = ObjectIdentifier(action)
    self.file = file.description
    self.line = line
    self.column = column
  }
}

/// A value that a binding wrote and whose action has not been reduced yet.
struct WrittenValue {
  let value: Any
  let number: UInt64
}
