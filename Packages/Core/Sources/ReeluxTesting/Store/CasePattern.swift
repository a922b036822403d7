import ReeluxDiff

/// A pattern for the actions of one enum case. The case is given as the function that creates its actions.
struct CasePattern<Action, each Part> {
  private struct Mismatch: Error {}

  private let make: (repeat each Part) -> Action

  init(_ make: @escaping (repeat each Part) -> Action) {
    self.make = make
  }

  /// The description of the case in messages, by the types of its payload.
  var text: String {
    let types = Self.types
    if types.count == 1 { return "a case with \(Wording.withArticle(types[0]))" }
    return "a case with (\(types.map { "\($0)" }.joined(separator: ", ")))"
  }

  private static var types: [Any.Type] {
    var types: [Any.Type] = []
    func add<Value>(_ type: Value.Type) { types.append(type) }
    repeat add((each Part).self)
    return types
  }

  /// The name of the case, as in `.saved(…)`; `nil` if no value of this case can be made from the payload of `action`.
  func name(from action: Action) -> String? {
    for parts in candidates(in: action) {
      // The rest of the name is of the payload, which may be any.
      let names = ValueText.caseName(of: make(repeat each parts)).split(separator: ".")
      return names.first.map { ".\($0)(…)" }
    }
    return nil
  }

  /// The payload of an action of this case; `nil` for another action.
  func parts(of action: Action) -> (repeat each Part)? {
    for parts in candidates(in: action) {
      // If the function makes an action of the same case from these parts, the case is the right one.
      if Self.isOneCase(make(repeat each parts), action) { return parts }
    }
    return nil
  }

  /// The payload of an action as the parts of this case, in each way that has their types.
  private func candidates(in action: Action) -> [(repeat each Part)] {
    guard let payload = RuntimeReflection.payload(of: action)?.value else { return [] }
    let count = Self.types.count
    // Several values are a tuple. A single value is not, but with a label it is a tuple of one element.
    let elements = Mirror(reflecting: payload).children.map(\.value)
    return (count == 1 ? [[payload], elements] : [elements]).compactMap { values in
      guard values.count == count else { return nil }
      var rest = values[...]
      func next<Value>(_ type: Value.Type) throws -> Value {
        guard !rest.isEmpty, let value = rest.removeFirst() as? Value else { throw Mismatch() }
        return value
      }
      return try? (repeat next((each Part).self))
    }
  }

  /// Whether both actions have the same case with the same labels.
  private static func isOneCase(_ left: Action, _ right: Action) -> Bool {
    guard let left = RuntimeReflection.payload(of: left), let right = RuntimeReflection.payload(of: right) else {
      return false
    }
    return left.caseName == right.caseName && type(of: left.value) == type(of: right.value)
  }
}
