public import Testing

/// The lines of the conformance list that a test covers.
///
/// `Scripts/conformance` collects them and prints which lines have a test.
///
/// ```swift
/// @Test(.conformance(7)) func actionsRunInTheOrderOfTheirDispatch() { … }
/// ```
public struct ConformanceTrait: TestTrait, SuiteTrait {
  /// The numbers of the lines.
  public let lines: [Int]

  /// The lines as a comment of the test, which the test runner can print.
  public var comments: [Comment] { lines.map { "conformance \($0)" } }
}

extension Trait where Self == ConformanceTrait {
  /// Marks a test or a suite as covering these lines of the conformance list.
  public static func conformance(_ lines: Int...) -> ConformanceTrait {
    ConformanceTrait(lines: lines)
  }
}
