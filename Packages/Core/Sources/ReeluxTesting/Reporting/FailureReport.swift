/// A message of a test store, or of another part of this module, about a test.
public struct FailureReport: Hashable, Sendable {
  /// The whole text.
  public var message: String
  /// The file, as `Module/File.swift`, that the message points to.
  public var fileID: String
  /// The line in the file, counted from 1.
  public var line: UInt
  /// Whether it fails the test; a note about what was skipped does not.
  public var isFailure: Bool
}

/// Runs `body`, and returns its reports in place of reporting them.
///
/// For tests of your own assertions. The reports of a store that is released inside of `body` are returned
/// too.
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

/// The same for a synchronous body.
public func capturingFailures(_ body: () throws -> Void) rethrows -> [FailureReport] {
  let captured = Captured()
  try FailureReporter.$captured.withValue(captured) { try body() }
  return captured.reports
}
