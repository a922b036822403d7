internal import Foundation

/// A recording that was read: where it began, and every action.
public struct Recording<Action: Sendable, State: Sendable>: Sendable {
  /// A last line that ends in the middle, as a process that was killed leaves it.
  public struct CutOffLine: Hashable, Sendable {
    /// The line's number in the file, counted from 1.
    public var line: Int
    /// How many bytes of it there are.
    public var bytes: Int
  }

  /// Which program wrote it, and when.
  public var header: RecordingHeader
  /// The state before the first action.
  public var initialState: State
  /// The actions, in their order.
  public var actions: [RecordedAction<Action>]
  /// The last line, if it was cut off and left out.
  public var cutOff: CutOffLine?

  /// Makes a recording from its parts.
  public init(
    header: RecordingHeader, initialState: State, actions: [RecordedAction<Action>], cutOff: CutOffLine? = nil
  ) {
    self.header = header
    self.initialState = initialState
    self.actions = actions
    self.cutOff = cutOff
  }
}

extension Recording where Action: Decodable, State: Decodable {
  private struct HeaderLine: Decodable {
    var header: RecordingHeader
    var state: State

    private enum CodingKeys: String, CodingKey { case state }

    init(from decoder: any Decoder) throws {
      header = try RecordingHeader(from: decoder)
      state = try decoder.container(keyedBy: CodingKeys.self).decode(State.self, forKey: .state)
    }
  }

  private struct Preamble: Decodable {
    var format: String
    var schema: Int
  }

  /// Reads a recording from a file. Cost: linear, about ten microseconds an action.
  /// - Throws: ``RecordingError`` with the line that is to blame.
  public init(path: String) throws {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let reason = (error as NSError).localizedDescription
      throw RecordingError.system(path: path, reason: reason)
    }
    try self.init(bytes: data, name: path)
  }

  /// Reads a recording from its bytes.
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - name: What errors call it.
  public init(bytes: some Sequence<UInt8>, name: String = "recording") throws {
    let data = Data(bytes)
    let lines = data.split(separator: 0x0a, omittingEmptySubsequences: true)
    guard let first = lines.first else { throw RecordingError.empty(path: name) }
    let decoder = CanonicalDecoder.make()
    let opening = try Self.header(first, decoder, name)
    self.init(header: opening.header, initialState: opening.state, actions: [])
    actions.reserveCapacity(lines.count - 1)
    for (position, line) in lines.enumerated().dropFirst() {
      let isLast = position == lines.count - 1
      do {
        let action = try decoder.decode(RecordedAction<Action>.self, from: line)
        guard action.number == position else {
          throw RecordingError.damagedLine(
            path: name, line: position + 1, reason: "action \(position) is missing; this is action \(action.number).")
        }
        actions.append(action)
      } catch let error as RecordingError {
        throw error
      } catch {
        guard isLast, data.last != 0x0a else {
          throw RecordingError.damagedLine(path: name, line: position + 1, reason: Self.reason(error))
        }
        cutOff = CutOffLine(line: position + 1, bytes: line.count)
      }
    }
  }

  private static func header(_ line: Data, _ decoder: JSONDecoder, _ name: String) throws -> HeaderLine {
    let preamble: Preamble
    do {
      preamble = try decoder.decode(Preamble.self, from: line)
    } catch {
      throw RecordingError.noHeader(path: name, reason: reason(error))
    }
    guard preamble.format == RecordingHeader.format else {
      throw RecordingError.noHeader(path: name, reason: "its format is '\(preamble.format)'.")
    }
    guard preamble.schema <= RecordingHeader.currentSchema else {
      throw RecordingError.newerSchema(path: name, found: preamble.schema, known: RecordingHeader.currentSchema)
    }
    do {
      return try decoder.decode(HeaderLine.self, from: line)
    } catch {
      throw RecordingError.noHeader(path: name, reason: reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "'\(key.stringValue)' is missing\(place(context))."
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.debugDescription)\(place(context))"
    case DecodingError.dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is no JSON." : "\(context.debugDescription)\(place(context))"
    default: "\(error)"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? "" : " (at \(path))"
  }
}
