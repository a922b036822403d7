/// The place in the program where an action was dispatched.
///
/// The store passes it to every middleware. Projections, lifts and child stores do not change it.
///
/// A source that a dispatch creates from literals contains no reference, so a copy costs a few words. A source with an
/// `info`, or a decoded one, keeps its texts in one shared box.
public struct ActionSource: Sendable {
  @usableFromInline let literalFile: LiteralText?
  @usableFromInline let literalFunction: LiteralText?
  /// The line in `file`, counted from 1.
  public let line: UInt
  @usableFromInline let texts: Texts?

  @usableFromInline final class Texts: Sendable {
    @usableFromInline let file: String
    @usableFromInline let function: String
    @usableFromInline let info: String?

    @usableFromInline init(file: String, function: String, info: String?) {
      self.file = file
      self.function = function
      self.info = info
    }
  }

  /// Creates a source. Without arguments, it is the place of the call.
  ///
  /// - Parameter info: A text of the caller. It costs an allocation.
  @inlinable @inline(__always) public init(
    info: String? = nil, file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    literalFile = LiteralText(file)
    literalFunction = LiteralText(function)
    self.line = line
    let isLiteral = info == nil && literalFile != nil && literalFunction != nil
    texts = isLiteral ? nil : Texts(file: file.description, function: function.description, info: info)
  }

  /// Creates a source from texts that are not literals, such as decoded ones.
  public init(info: String? = nil, file: String, function: String, line: UInt) {
    literalFile = nil
    literalFunction = nil
    self.line = line
    texts = Texts(file: file, function: function, info: info)
  }

  /// The file, as `Module/File.swift`.
  public var file: String { texts?.file ?? literalFile?.text ?? "" }

  /// The function that dispatched the action.
  public var function: String { texts?.function ?? literalFunction?.text ?? "" }

  /// The caller's text, if any.
  public var info: String? { texts?.info }
}

extension ActionSource: Hashable {
  /// Whether all four parts are equal.
  public static func == (lhs: ActionSource, rhs: ActionSource) -> Bool {
    lhs.line == rhs.line && lhs.file == rhs.file && lhs.function == rhs.function && lhs.info == rhs.info
  }

  /// Hashes all four parts.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  private struct Parts: Hashable, Codable {
    let file: String
    let function: String
    let line: UInt
    let info: String?
  }

  private var parts: Parts { Parts(file: file, function: function, line: line, info: info) }
}

extension ActionSource: Codable {
  /// Decodes the keys `file`, `function`, `line` and, if present, `info`.
  public init(from decoder: any Decoder) throws {
    let parts = try Parts(from: decoder)
    self.init(info: parts.info, file: parts.file, function: parts.function, line: parts.line)
  }

  /// Encodes the keys `file`, `function`, `line` and, if present, `info`.
  public func encode(to encoder: any Encoder) throws { try parts.encode(to: encoder) }
}

extension ActionSource: CustomStringConvertible {
  /// The text `Module/File.swift:12 function()`, followed by the info if there is any.
  public var description: String {
    let place = "\(file):\(line) \(function)"
    return info.map { "\(place) (\($0))" } ?? place
  }
}

/// An action and the place that dispatched it.
public struct DispatchedAction<Action> {
  /// The action.
  public var action: Action
  /// The place that dispatched the action.
  public var source: ActionSource

  /// Creates a pair of an action and its source.
  @inlinable public init(_ action: Action, source: ActionSource) {
    self.action = action
    self.source = source
  }

  /// Returns the same source with another action.
  @inlinable public func map<Other>(_ transform: (Action) throws -> Other) rethrows -> DispatchedAction<Other> {
    DispatchedAction<Other>(try transform(action), source: source)
  }
}

extension DispatchedAction: Sendable where Action: Sendable {}
extension DispatchedAction: Equatable where Action: Equatable {}
extension DispatchedAction: Hashable where Action: Hashable {}
extension DispatchedAction: Encodable where Action: Encodable {}
extension DispatchedAction: Decodable where Action: Decodable {}
