/// The place in the program where an action was dispatched.
///
/// The store hands it to every middleware unchanged, also through
/// projections, lifts and child stores. Copying one does not allocate as long
/// as `file` and `function` are literals.
public struct ActionSource: Codable, Hashable, Sendable {
  /// The file, as `Module/File.swift`.
  public var file: String
  /// The function that dispatched.
  public var function: String
  /// The line in `file`, counted from 1.
  public var line: UInt
  /// What the caller wanted to add, or `nil`.
  public var info: String?

  /// Makes a source; without arguments, the place of the call itself.
  @inlinable
  public init(
    info: String? = nil, file: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    self.file = file
    self.function = function
    self.line = line
    self.info = info
  }
}

extension ActionSource: CustomStringConvertible {
  /// `Module/File.swift:12 function()`, followed by the info if there is any.
  public var description: String {
    let place = "\(file):\(line) \(function)"
    return info.map { "\(place) (\($0))" } ?? place
  }
}
