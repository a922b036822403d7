import Core

/// The adopter's own module and type of this name.
public struct Logger: Sendable {
  public init() {}

  public func line(for book: Book) -> String { "book: \(book.title)" }
}
