/// The adopter's own module of this name.
public struct Book: Hashable, Sendable {
  /// The title.
  public var title: String

  /// Creates a book.
  public init(title: String) { self.title = title }
}
