/// A replacement of one part of a value by the same part of another value of its type.
///
/// Only stored properties of structs can be replaced. A part inside of an optional, enum, object or collection is
/// replaced together with this optional, enum, object or collection.
package struct PartReplacement {
  private let types: TypeFacts
  private let path: ArraySlice<ValuePath.Component>

  /// Makes a replacement of the part at a path.
  package init(of path: ValuePath) {
    self.init(path.components[...], TypeFacts())
  }

  private init(_ path: ArraySlice<ValuePath.Component>, _ types: TypeFacts) {
    self.path = path
    self.types = types
  }

  /// Replaces the part of a value. Returns the number of steps from the value to the part that was replaced.
  package func callAsFunction<Value>(_ value: inout Value, _ other: Value) -> Int {
    guard case .field(let name)? = path.first,
      case .properties(let properties, let names) = types.fact(of: value).layout,
      let index = names.firstIndex(of: name),
      let steps = properties.change(index, of: &value, like: other, PartReplacement(path.dropFirst(), types))
    else {
      value = other
      return 0
    }
    return steps + 1
  }
}
