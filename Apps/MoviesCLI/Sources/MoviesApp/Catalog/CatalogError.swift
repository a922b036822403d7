/// Why a catalogue could not be read.
package struct CatalogError: Error, Codable, Hashable, Sendable {
  /// The kind of the failure; it decides the exit code.
  package enum Kind: String, Codable, Hashable, Sendable {
    /// The file does not exist or may not be read.
    case missing
    /// Reading stopped halfway.
    case unreadable
    /// The bytes are not a catalogue.
    case malformed
  }

  /// The kind of failure.
  package let kind: Kind

  /// The file, as the user named it.
  package let file: String

  /// The line of the fault, counted from one; `nil` when it concerns the whole file.
  package let line: Int?

  /// The reason, and what to try if it is known.
  package let reason: String

  /// Creates an error.
  package init(kind: Kind, file: String, line: Int? = nil, reason: String) {
    self.kind = kind
    self.file = file
    self.line = line
    self.reason = reason
  }
}

extension CatalogError: CustomStringConvertible {
  /// `movies.csv:17: expected 3 columns, found 2`
  package var description: String {
    if let line { "\(file):\(line): \(reason)" } else { "\(file): \(reason)" }
  }
}

/// A fault that a parser found; the reader adds the file's name.
struct CatalogFault: Error, Equatable {
  var line: Int
  var reason: String
}
