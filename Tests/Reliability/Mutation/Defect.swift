/// A deliberate mistake: the lines to replace, their replacement, and the tests that must fail.
struct Defect {
  /// Lines of the source, and their replacement with the mistake.
  struct Change {
    /// The lines in order, without surrounding spaces.
    var old: [String]
    var form: Form
  }

  enum Form {
    /// Other statements, or none.
    case statements([String])
    /// Another expression within the line: the text before it, the expression, and its replacement.
    case expression(before: String, old: String, new: String)
  }

  /// The name of the mistake: a few words without spaces.
  var name: String
  /// The source file, from the root of the repository.
  var file: String
  /// The tests that run: a regular expression for the test runner.
  var filter: String
  var change: Change
  /// The reason why no test can detect it; `nil` for a defect that must be detected.
  var equivalence: String?
  /// The lines of `Tests/conformance.txt` that it breaks.
  var lines: [Int]
  /// The place of the defect in its list, for messages.
  var place: String
}

/// The reason why a list or a source cannot be used.
struct MutationError: Error, CustomStringConvertible {
  let description: String

  init(_ place: String, _ reason: String) { description = "\(place): \(reason)" }
}
