import Core

/// The adopter's own module and type of this name.
public struct Logger: Sendable {
  /// Creates a logger.
  public init() {}

  /// The line about a book.
  public func line(for book: Book) -> String { "book: \(book.title)" }
}
