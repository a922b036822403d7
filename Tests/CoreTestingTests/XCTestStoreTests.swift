import Core
import CoreTesting
import XCTest

/// The test store under XCTest; its conformance line is named by a test of Swift Testing beside it.
final class XCTestStoreTests: XCTestCase {
  func testAFeatureIsTestedUnderXCTest() async {
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
    await store.finish()
  }

  func testAWrongExpectationIsReported() async {
    let reports = await capturingFailures {
      let store = TestStore(initialState: Search(), feature: .search())
      await store.send(.found(["M"]))
    }
    XCTAssertEqual(reports.map(\.line), [#line - 2])
  }
}
