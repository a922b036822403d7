/// The place in the program where an action was dispatched.
///
/// The store passes it to every middleware. Projections, lifts and child stores
/// do not change it.
///
/// A source that is made from literals, as every dispatch makes it, holds no
/// reference, so a copy is a few words. A source with an `info`, or one that
/// was decoded, keeps its texts in one shared box.
public struct ActionSource: Sendable {
  // Literals are a part of the program, so their addresses stay valid on every thread.
  @usableFromInline nonisolated(unsafe) let literalFile: UnsafePointer<UInt8>
  @usableFromInline nonisolated(unsafe) let literalFunction: UnsafePointer<UInt8>
  /// The line in `file`, counted from 1.
  public let line: UInt
  @usableFromInline let texts: Texts?

  @usableFromInline
  final class Texts: Sendable {
    @usableFromInline let file: String
    @usableFromInline let function: String
    @usableFromInline let info: String?

    @usableFromInline
    init(file: String, function: String, info: String?) {
      self.file = file
      self.function = function
      self.info = info
    }
  }

  @inlinable
  init(literalFile: StaticString, literalFunction: StaticString, line: UInt, texts: Texts?) {
    self.literalFile = literalFile.utf8Start
    self.literalFunction = literalFunction.utf8Start
    self.line = line
    self.texts = texts
  }

  /// Makes a source; without arguments, the place of the call itself.
  ///
  /// - Parameter info: A text of the caller; costs an allocation.
  @inlinable
  @inline(__always)
  public init(
    info: String? = nil, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    if info == nil, file.hasPointerRepresentation, function.hasPointerRepresentation {
      self.init(literalFile: file, literalFunction: function, line: line, texts: nil)
    } else {
      self.init(info: info, file: file.description, function: function.description, line: line)
    }
  }

  /// Makes a source from texts that are not literals, such as decoded ones.
  public init(info: String? = nil, file: String, function: String, line: UInt) {
    self.init(
      literalFile: "", literalFunction: "", line: line, texts: Texts(file: file, function: function, info: info))
  }

  /// The file, as `Module/File.swift`.
  public var file: String { texts?.file ?? String(cString: literalFile) }

  /// The function that dispatched the action.
  public var function: String { texts?.function ?? String(cString: literalFunction) }

  /// The caller's text, or `nil`.
  public var info: String? { texts?.info }
}

extension ActionSource: Hashable {
  /// Whether all four parts are the same.
  public static func == (lhs: ActionSource, rhs: ActionSource) -> Bool {
    lhs.line == rhs.line && lhs.file == rhs.file && lhs.function == rhs.function && lhs.info == rhs.info
  }

  /// Hashes all four parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(function)
    hasher.combine(line)
    hasher.combine(info)
  }
}

extension ActionSource: Codable {
  enum CodingKeys: String, CodingKey { case file, function, line, info }

  /// Reads the keys `file`, `function`, `line` and, if there is one, `info`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      info: try values.decodeIfPresent(String.self, forKey: .info),
      file: try values.decode(String.self, forKey: .file),
      function: try values.decode(String.self, forKey: .function),
      line: try values.decode(UInt.self, forKey: .line))
  }

  /// Writes the keys `file`, `function`, `line` and, if there is one, `info`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(file, forKey: .file)
    try values.encode(function, forKey: .function)
    try values.encode(line, forKey: .line)
    try values.encodeIfPresent(info, forKey: .info)
  }
}

extension ActionSource: CustomStringConvertible {
  /// `Module/File.swift:12 function()`, followed by the info if there is any.
  public var description: String {
    let place = "\(file):\(line) \(function)"
    return info.map { "\(place) (\($0))" } ?? place
  }
}
