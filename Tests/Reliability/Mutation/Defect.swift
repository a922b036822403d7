/// One deliberate mistake: what to write in place of what, and which tests must notice.
struct Defect {
  /// Lines of the source, as they are, and as they would be with the mistake.
  struct Change {
    /// The lines without the spaces around them, one after the other.
    var old: [String]
    var form: Form
  }

  enum Form {
    /// Other statements, or none.
    case statements([String])
    /// Another expression within the line: the text before it, the expression, and the wrong one.
    case expression(before: String, old: String, new: String)
  }

  /// What the mistake is, in a few words without spaces.
  var name: String
  /// The source file, from the root of the repository.
  var file: String
  /// Which tests are run: a regular expression for the test runner.
  var filter: String
  var change: Change
  /// Why no test can notice it; `nil` for a defect that must be noticed.
  var equivalence: String?
  /// Where the defect is listed, for messages.
  var place: String
}

/// Why a list or a source cannot be used.
struct MutationError: Error, CustomStringConvertible {
  let description: String

  init(_ place: String, _ reason: String) { description = "\(place): \(reason)" }
}
