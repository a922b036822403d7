import ReeluxDiff

/// A pattern for the actions of one enum case. The case is given as the function that creates its actions.
struct CasePattern<Action, each Part> {
  private struct Mismatch: Error {}

  private let make: (repeat each Part) -> Action

  init(_ make: @escaping (repeat each Part) -> Action) {
    self.make = make
  }

  /// The name of the case in messages.
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

  /// The payload of an action of this case; `nil` for another action.
  func parts(of action: Action) -> (repeat each Part)? {
    guard let payload = Mirror(reflecting: action).children.first?.value else { return nil }
    let count = Self.types.count
    // Several values are a tuple. A single value is not, but with a label it is a tuple of one element.
    let elements = Mirror(reflecting: payload).children.map(\.value)
    let candidates = count == 1 ? [[payload], elements] : [elements]
    for values in candidates where values.count == count {
      var rest = values[...]
      func next<Value>(_ type: Value.Type) throws -> Value {
        guard let value = rest.popFirst() as? Value else { throw Mismatch() }
        return value
      }
      guard let parts = try? (repeat next((each Part).self)) else { continue }
      // If the function makes an action of the same case from these parts, the case is the right one.
      if Self.isOneCase(make(repeat each parts), action) { return parts }
    }
    return nil
  }

  /// Whether both actions have the same case with the same labels.
  private static func isOneCase(_ left: Action, _ right: Action) -> Bool {
    func payloadType(_ action: Action) -> Any.Type? {
      Mirror(reflecting: action).children.first.map { type(of: $0.value) }
    }
    return ValueText.caseName(of: left) == ValueText.caseName(of: right) && payloadType(left) == payloadType(right)
  }
}
