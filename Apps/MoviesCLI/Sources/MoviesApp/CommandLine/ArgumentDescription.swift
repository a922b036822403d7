/// An argument that is named by its place.
package struct ArgumentDescription: Hashable, Sendable {
  /// What stands for it in help: `ID`.
  package let name: String

  /// How often it may be given.
  package let count: ClosedRange<Int>

  /// The argument in a usage line: `ID`, `[FILE]`, `TEXT...`.
  var usage: String {
    let repeated = count.upperBound > 1 ? "\(name)..." : name
    return count.lowerBound == 0 ? "[\(repeated)]" : repeated
  }

  /// Describes an argument that is there once.
  static func one(_ name: String) -> ArgumentDescription { ArgumentDescription(name: name, count: 1...1) }

  /// Describes an argument that may be left out.
  static func optional(_ name: String) -> ArgumentDescription { ArgumentDescription(name: name, count: 0...1) }

  /// Describes an argument that is there at least once.
  static func many(_ name: String) -> ArgumentDescription { ArgumentDescription(name: name, count: 1...Int.max) }
}
