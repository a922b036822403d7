/// The stored properties of a struct type: their places in the memory of a value, and their types.
///
/// The runtime needs about 4,000 instructions to find the type of a property by its name. Therefore, the types are
/// looked up once.
@safe struct StoredProperties {
  private let type: Any.Type
  private let readers: [(UnsafeRawPointer) -> Any]
  private let places: [(type: Any.Type, offset: Int)]

  /// Returns `nil` if a property is not stored as a value of its type: if it is weak or unowned, or a metatype, which
  /// takes no memory in a struct.
  init?(of type: Any.Type, count: Int) {
    guard runtimePropertyCount(type) == count else { return nil }
    var readers: [(UnsafeRawPointer) -> Any] = unsafe []
    var places: [(type: Any.Type, offset: Int)] = []
    for index in 0..<count {
      var property = unsafe PropertyMetadata()
      let propertyType = unsafe runtimePropertyType(type, index: index, metadata: &property)
      unsafe property.freeName?(property.name)
      guard unsafe property.isStrong, !String(reflecting: propertyType).hasSuffix(".Type") else { return nil }
      let offset = runtimePropertyOffset(type, index: index)
      func reader<Property>(of type: Property.Type) -> (UnsafeRawPointer) -> Any {
        { start in unsafe (start + offset).assumingMemoryBound(to: type).pointee }
      }
      unsafe readers.append(_openExistential(propertyType, do: reader))
      places.append((propertyType, offset))
    }
    self.type = type
    unsafe self.readers = readers
    self.places = places
  }

  /// Whether two values have the same bytes, for a union of C, which has no properties.
  ///
  /// This is correct, because the bytes are only read, and all bytes of such a value are initialised or padding.
  static func haveEqualBytes<Value>(_ left: Value, _ right: Value) -> Bool {
    unsafe withUnsafeBytes(of: left) { left in
      unsafe withUnsafeBytes(of: right) { right in unsafe left.elementsEqual(right) }
    }
  }

  /// Copies the properties of a value. Returns `nil` if the value is inside another existential value.
  ///
  /// This is correct, because the runtime returned the places and the types of the properties of this type. The
  /// value has this type, and it is alive while its properties are copied.
  func read(_ value: Any) -> [Any]? {
    func read<Value>(_ value: Value) -> [Any]? {
      guard Value.self == type else { return nil }
      return unsafe withUnsafePointer(to: value) { start in
        unsafe readers.map { unsafe $0(UnsafeRawPointer(start)) }
      }
    }
    return _openExistential(value, do: read)
  }

  /// Calls `change` with a property of a value and the same property of another value. Returns the result, or `nil`
  /// without a call if the values have another type.
  ///
  /// This is correct for the same reasons as ``read(_:)``. The property is accessed only during the call, and the
  /// access to the value is exclusive.
  func change<Value>(_ index: Int, of value: inout Value, like other: Value, _ change: PartReplacement) -> Int? {
    guard Value.self == type else { return nil }
    let offset = places[index].offset
    func apply<Property>(_ type: Property.Type) -> Int {
      unsafe withUnsafeMutablePointer(to: &value) { start in
        unsafe withUnsafePointer(to: other) { other in
          let property = unsafe (UnsafeMutableRawPointer(start) + offset).assumingMemoryBound(to: type)
          return unsafe change(
            &property.pointee, (UnsafeRawPointer(other) + offset).assumingMemoryBound(to: type).pointee)
        }
      }
    }
    return _openExistential(places[index].type, do: apply)
  }
}

/// The facts about a property from the runtime. The standard library declares the first four members.
@unsafe private struct PropertyMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
  /// Room for the members of a later runtime.
  var reserve = (0, 0, 0, 0)
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func runtimePropertyCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func runtimePropertyType(
  _ type: Any.Type, index: Int, metadata: UnsafeMutablePointer<PropertyMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func runtimePropertyOffset(_ type: Any.Type, index: Int) -> Int
