/// The adopter's own module of this name.
public struct Book: Hashable, Sendable {
  public var title: String

  public init(title: String) { self.title = title }
}
