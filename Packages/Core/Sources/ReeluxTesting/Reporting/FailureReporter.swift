import ReeluxCore
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// A reporter that passes failures to the test framework of the running test.
struct FailureReporter: Sendable {
  /// Receives the reports instead of the framework.
  @TaskLocal static var captured: Captured?

  /// Whether the framework is Swift Testing. Otherwise it is XCTest.
  private let isSwiftTesting: Bool

  /// Creates a reporter for the running test.
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
    #if compiler(<6.4)
      // In a detached task, neither framework has a running test. Until Swift 6.3, each ignores a failure outside of
      // its own run. Later versions pass it to the other one.
      Issue.record(Comment(rawValue: message), sourceLocation: place.location)
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

/// Reports that are not passed to the test framework.
final class Captured: Sendable {
  private let contents = Locked<[FailureReport]>([])

  /// The reports in their order.
  var reports: [FailureReport] { contents.withLock { $0 } }

  func add(_ message: String, _ place: TestPlace, isFailure: Bool) {
    let report = FailureReport(
      message: message, fileID: place.fileID.description, line: place.line, isFailure: isFailure)
    contents.withLock { $0.append(report) }
  }
}

/// The place in a test to which a failure refers.
struct TestPlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let function: StaticString
  let line: UInt
  let column: UInt

  /// The place as a value of the test framework.
  var location: SourceLocation {
    SourceLocation(
      fileID: fileID.description, filePath: filePath.description, line: max(Int(line), 1), column: max(Int(column), 1))
  }
}
