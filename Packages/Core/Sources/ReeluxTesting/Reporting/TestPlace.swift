import ReeluxCore
import Testing

/// Where in a test something was asked for: what a failure points to.
struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let function: StaticString
  let line: UInt
  let column: UInt

  /// The place in the testing framework's form.
  var location: SourceLocation {
    SourceLocation(
      fileID: fileID.description, filePath: filePath.description, line: max(Int(line), 1), column: max(Int(column), 1))
  }
}
