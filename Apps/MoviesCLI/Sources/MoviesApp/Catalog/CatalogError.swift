/// A failure to read a catalogue.
package struct CatalogError: Error, Codable, Hashable, Sendable {
  /// The kind of a failure. It determines the exit code.
  package enum Kind: String, Codable, Hashable, Sendable {
    /// The file does not exist, cannot be read, or is a folder.
    case missing
    /// The content is not a valid catalogue.
    case malformed
  }

  package let kind: Kind

  /// The file, as given by the user.
  package let file: String

  /// The line of the fault, counted from one; `nil` if it concerns the whole file.
  package let line: Int?

  /// The reason, and advice if there is any.
  package let reason: String

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

/// A fault that a parser found. The reader adds the file's name.
struct CatalogFault: Error, Equatable {
  var line: Int
  var reason: String
}
