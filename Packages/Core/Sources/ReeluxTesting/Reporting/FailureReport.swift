/// A message about a test, from a test store or another part of this module.
public struct FailureReport: Hashable, Sendable {
  /// The whole text.
  public var message: String
  /// The file of the message as `Module/File.swift`.
  public var fileID: String
  /// The line in the file, counted from 1.
  public var line: UInt
  /// Whether the message fails the test. A note about skipped checks does not.
  public var isFailure: Bool
}

/// Runs `body`, and returns its reports instead of failing the test.
///
/// Use it for tests of your own assertions. It also returns the reports of a store that is released inside `body`.
///
/// ```swift
/// let reports = await capturingFailures {
///   let store = TestStore(initialState: 0, feature: .counter)
///   await store.send(.increment) { $0 = 5 }
/// }
/// #expect(reports.count == 1)
/// ```
public nonisolated(nonsending) func capturingFailures(_ body: () async throws -> Void) async rethrows -> [FailureReport]
{
  let captured = Captured()
  try await FailureReporter.$captured.withValue(captured) { try await body() }
  return captured.reports
}

/// Runs a synchronous `body`, and returns its reports instead of failing the test.
public func capturingFailures(_ body: () throws -> Void) rethrows -> [FailureReport] {
  let captured = Captured()
  try FailureReporter.$captured.withValue(captured) { try body() }
  return captured.reports
}
