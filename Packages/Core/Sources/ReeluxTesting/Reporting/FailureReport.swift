/// What a test store, or another part of this module, has to say about a test.
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

/// Runs `body` and returns what would have been reported, in place of reporting it.
///
/// For tests of your own assertions. Also what a store says when it goes away inside of `body` is returned.
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

/// The same for a body that does not wait.
public func capturingFailures(_ body: () throws -> Void) rethrows -> [FailureReport] {
  let captured = Captured()
  try FailureReporter.$captured.withValue(captured) { try body() }
  return captured.reports
}
