import ReeluxCore
import ReeluxTesting
import XCTest

/// The test store under XCTest, with failures in XCTest's form.
final class XCTestStoreTests: XCTestCase {
  /// Failures that a test provokes. They are stored here and do not fail the test.
  private nonisolated(unsafe) var failures: [String]?

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      let location = issue.sourceCodeContext.location
      if failures == nil { return super.record(issue) }
      failures?.append("\(location?.lineNumber ?? 0): \(issue.compactDescription)")
    }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      guard unsafe failures != nil else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      XCTAssertTrue(filePath.hasSuffix("ReeluxTestingTests/XCTestStoreTests.swift"))
      unsafe failures?.append("\(lineNumber): \(description)")
    }
  #endif

  func testAFeatureIsTestedStepByStep() async {
    let clock = TestClock()
    let find = ScriptedCalls<String, [String]>()
    let store = TestStore(
      initialState: Search(), feature: .search(find: { try await find($0) }, clock: clock))
    await store.send(.typed("m")) {
      $0.text = "m"
      $0.isSearching = true
    }
    await clock.advance(by: .milliseconds(300))
    await find.succeed(["M"])
    await store.receive(.found(["M"])) {
      $0.results = ["M"]
      $0.isSearching = false
    }
    await store.assertFinished()
  }

  func testAWrongExpectationFailsAtTheCallersLine() async {
    unsafe failures = []
    let line = #line + 3
    do {
      let store = TestStore(initialState: Search(), feature: .search())
      await store.send(.found(["M"]))
      await store.send(.clear) { $0.results = [] }
    }
    let found = unsafe failures ?? []
    unsafe failures = nil
    XCTAssertEqual(found.count, 2)
    XCTAssertTrue(found.first?.hasPrefix("\(line): ") == true)
    XCTAssertTrue(
      found.first?.hasSuffix(#".found(["M"]) changed the state, which was not expected:\#n\#n  results[0]: + "M""#)
        == true)
    XCTAssertTrue(found.last?.hasPrefix("\(line - 1): ") == true)
    XCTAssertTrue(found.last?.contains("1 action was not received by the test:") == true)
  }
}
