/// The functions of the Swift runtime that a `Mirror` calls, without the cost of a mirror.
///
/// This is correct, because the standard library declares and calls the functions in the same way. They take the
/// address and the type of the value, which is how the compiler passes a generic parameter, and find the value inside
/// an existential. They read the value and return copies. A name points into the type's metadata, or comes with a
/// function that frees it.
package enum RuntimeReflection {
  /// The number of a value's parts: the fields of a struct, the elements of a tuple, 1 for an enum case with a payload.
  static func childCount(of value: Any) -> Int {
    runtimeChildCount(value, type: type(of: value))
  }

  /// A part of a struct, an enum or a tuple. The index is less than the count of parts.
  static func child(of value: Any, at index: Int) -> Any {
    var name: UnsafePointer<CChar>?
    var freeName: FreeName?
    let child = unsafe runtimeChild(
      of: value, type: type(of: value), index: index, outName: &name, outFreeFunc: &freeName)
    unsafe freeName?(name)
    return child
  }

  /// The case and the payload of an enum value, also if a `customMirror` hides them; `nil` for a case without a
  /// payload.
  package static func payload(of value: Any) -> (caseName: String, value: Any)? {
    guard childCount(of: value) > 0 else { return nil }
    var name: UnsafePointer<CChar>?
    var freeName: FreeName?
    let child = unsafe runtimeChild(of: value, type: type(of: value), index: 0, outName: &name, outFreeFunc: &freeName)
    let caseName = unsafe name.map { unsafe String(cString: $0) } ?? ""
    unsafe freeName?(name)
    return (caseName, child)
  }

  /// The parts of two values of one type, also those that a `customMirror` hides. Returns `nil` if the values are enum
  /// cases with different names or numbers of parts. The properties of superclasses are left out.
  static func storedParts(_ old: Any, _ new: Any) -> [(old: Any, new: Any)]? {
    let count = childCount(of: old)
    guard caseName(of: old) == caseName(of: new), count == childCount(of: new) else { return nil }
    return (0..<count).map { (child(of: old, at: $0), child(of: new, at: $0)) }
  }

  /// The name of an enum value's case; `nil` for other values, and for enums imported from C.
  static func caseName(of value: Any) -> String? {
    func read<Value>(_ value: Value) -> String? {
      guard let name = unsafe runtimeCaseName(value) else { return nil }
      return unsafe String(cString: name)
    }
    return _openExistential(value, do: read)
  }
}

private typealias FreeName = @convention(c) (UnsafePointer<CChar>?) -> Void

@_silgen_name("swift_reflectionMirror_count")
private func runtimeChildCount<Value>(_ value: Value, type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_subscript")
private func runtimeChild<Value>(
  of value: Value, type: Any.Type, index: Int, outName: UnsafeMutablePointer<UnsafePointer<CChar>?>,
  outFreeFunc: UnsafeMutablePointer<FreeName?>
) -> Any

@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
