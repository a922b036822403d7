import ReeluxCore
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// Reports failures to the test framework that is running the test.
struct FailureReporter: Sendable {
  /// Takes the reports in place of the framework.
  @TaskLocal static var captured: Captured?

  /// Whether Swift Testing runs the test; otherwise XCTest does.
  private let isSwiftTesting: Bool

  /// A reporter for the test that is running now.
  init() {
    isSwiftTesting = Test.current != nil
  }

  /// Fails the test.
  func fail(_ message: String, at place: TestPlace) {
    if let captured = Self.captured { return captured.add(message, place, isFailure: true) }
    if isSwiftTesting || Test.current != nil {
      Issue.record(Comment(rawValue: message), sourceLocation: place.location)
      return
    }
    #if canImport(XCTest)
      XCTFail(message, file: place.filePath, line: place.line)
    #endif
  }

  /// Reports a message that does not fail the test.
  func note(_ message: String, at place: TestPlace) {
    if let captured = Self.captured { return captured.add(message, place, isFailure: false) }
    #if compiler(>=6.3)
      if isSwiftTesting || Test.current != nil {
        Issue.record(Comment(rawValue: message), severity: .warning, sourceLocation: place.location)
        return
      }
    #endif
    print("\(place.filePath):\(place.line): note: \(message)")
  }
}

/// Reports that were kept from the test framework.
final class Captured: Sendable {
  private let contents = Locked<[FailureReport]>([])

  /// What was reported, in its order.
  var reports: [FailureReport] { contents.withLock { $0 } }

  func add(_ message: String, _ place: TestPlace, isFailure: Bool) {
    let report = FailureReport(
      message: message, fileID: place.fileID.description, line: place.line, isFailure: isFailure)
    contents.withLock { $0.append(report) }
  }
}

/// The place in a test that a failure points to.
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
