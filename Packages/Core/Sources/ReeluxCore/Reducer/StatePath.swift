/// The place of a part in a state: an offset for a stored property, a key path for a computed one.
@usableFromInline
struct StatePath<Whole: Sendable, Part: Sendable>: Sendable {
  @usableFromInline let path: any WritableKeyPath<Whole, Part> & Sendable
  /// The place of a stored property without observers, as `MemoryLayout.offset(of:)` documents it.
  @usableFromInline let offset: Int?

  @inlinable
  init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
    self.path = path
    offset = MemoryLayout<Whole>.offset(of: path)
  }

  @inlinable
  var span: StateSpan {
    if let offset { StateSpan(offset: offset, of: Part.self) } else { .whole }
  }

  /// Calls `body` with the part: a stored property in place, a computed property as a copy. The copy is written back
  /// once if `body` accepted.
  @inlinable
  func update(_ whole: UnsafeMutablePointer<Whole>, _ body: (UnsafeMutablePointer<Part>) -> Bool) -> Bool {
    if let offset {
      return body(UnsafeMutableRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Part.self))
    }
    var part = whole.pointee[keyPath: path]
    guard withUnsafeMutablePointer(to: &part, body) else { return false }
    whole.pointee[keyPath: path] = part
    return true
  }

  /// Calls `body` with the part: a stored property in place, a computed property
  /// as a copy.
  @inlinable
  func read<Result>(_ whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Result) -> Result {
    if let offset {
      return body(UnsafeRawPointer(whole).advanced(by: offset).assumingMemoryBound(to: Part.self))
    }
    return withUnsafePointer(to: whole.pointee[keyPath: path], body)
  }
}
