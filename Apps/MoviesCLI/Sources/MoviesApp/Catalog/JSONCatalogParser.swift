import Foundation

/// The parser of the project's own JSON catalogue.
///
/// The text is an object as below, or its array alone. `list --json` prints the array:
///
///     {"schema": 1, "movies": [{"id": "metropolis-1927", "title": "Metropolis", "year": 1927, "genres": ["Drama"]}]}
///
/// `id` is a string or an integer, and `title` a string. `year` may be null or absent, and `genres` may be absent.
/// Other keys are ignored. The whole text is in memory while it is read.
struct JSONCatalogParser: CatalogParser {
  /// The schema number that is read.
  static let schema = 1

  /// The object around the movies. The movies of another schema are not read, because they can have any form.
  private struct Document: Decodable {
    var schema: Int
    var movies: [Element] = []

    private enum Key: String, CodingKey {
      case schema, movies
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      schema = try container.decodeIfPresent(Int.self, forKey: .schema) ?? JSONCatalogParser.schema
      if schema == JSONCatalogParser.schema { movies = try container.decode([Element].self, forKey: .movies) }
    }
  }

  /// An element of the array: a movie, or the error of its decoding. So a fault of an earlier movie, such as an empty
  /// title, is found first.
  private struct Element: Decodable {
    let row: Result<Row, any Error>

    init(from decoder: any Decoder) {
      row = Result { try Row(from: decoder) }
    }
  }

  /// One movie of the file.
  private struct Row: Decodable {
    var id: String
    var title: String
    var year: Int?
    var genres: [String]?

    private enum Key: String, CodingKey {
      case id, title, year, genres
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      if let number = try? container.decode(Int.self, forKey: .id) {
        id = String(number)
      } else if let number = try? container.decode(Double.self, forKey: .id), Int(exactly: number) == nil,
        number == number.rounded()
      {
        throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath + [Key.id], debugDescription: ""))
      } else {
        id = try container.decode(String.self, forKey: .id)
      }
      title = try container.decode(String.self, forKey: .title)
      do {
        year = try container.decodeIfPresent(Int.self, forKey: .year)
      } catch {
        let number = try? container.decode(Double.self, forKey: .year)
        if number == nil, case .typeMismatch? = error as? DecodingError { throw error }
        // For a number that is no `Int`, the decoder throws different errors, some of them without a path.
        let isFraction = number.map { $0 != $0.rounded() } ?? false
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: container.codingPath + [Key.year],
            debugDescription: isFraction ? "is not a whole number" : "is not a year from 1 to 9999"))
      }
      genres = try container.decodeIfPresent([String].self, forKey: .genres)
    }
  }

  private var bytes: [UInt8] = []

  mutating func feed(_ piece: ArraySlice<UInt8>) {
    bytes.append(contentsOf: piece)
  }

  mutating func finish() throws(CatalogFault) -> CatalogBuilder {
    let places = JSONPlaces(bytes)
    let elements = try elements(places)
    var builder = CatalogBuilder()
    for (index, (element, place)) in zip(elements, places.elements).enumerated() {
      let row: Row
      do { row = try element.row.get() } catch { throw fault(error as? DecodingError, places) }
      if let year = row.year, !(1...9999).contains(year) {
        let reason = "'year' of movie \(index + 1) is \(year), not a year from 1 to 9999"
        throw CatalogFault(line: place.line, reason: reason)
      }
      do throws(CatalogFault) {
        try builder.add(id: row.id, title: row.title, year: row.year, genres: row.genres ?? [], line: place.line)
      } catch {
        // All movies may be in one line.
        throw CatalogFault(line: error.line, reason: "movie \(index + 1): \(error.reason)")
      }
    }
    return builder
  }

  private func elements(_ places: JSONPlaces) throws(CatalogFault) -> [Element] {
    if let fault = places.fault { throw fault }
    do {
      let data = Data(bytes)
      guard places.isInObject else { return try JSONDecoder().decode([Element].self, from: data) }
      let document = try JSONDecoder().decode(Document.self, from: data)
      if document.schema != Self.schema {
        throw CatalogFault(
          line: places.line,
          reason: "the catalogue has schema \(document.schema); this version reads schema \(Self.schema)")
      }
      return document.movies
    } catch let fault as CatalogFault {
      throw fault
    } catch {
      throw fault(error as? DecodingError, places)
    }
  }

  /// The fault that a decoding error describes, with the line and the number of the movie that caused it.
  private func fault(_ error: DecodingError?, _ places: JSONPlaces) -> CatalogFault {
    let path: [any CodingKey]
    let reason: String
    switch error {
    case .keyNotFound(let key, let context):
      path = context.codingPath
      reason =
        if let number = Self.number(of: path) {
          "movie \(number) has no '\(key.stringValue)'"
        } else {
          "the object has no key '\(key.stringValue)'"
        }
    case .typeMismatch(let type, let context):
      path = context.codingPath
      let expected = path.last?.stringValue == "id" ? "a string or a whole number" : Self.name(of: type)
      reason = "\(Self.name(of: path)) is not \(expected)"
    case .valueNotFound(_, let context):
      path = context.codingPath
      reason = "\(Self.name(of: path)) is null"
    case .dataCorrupted(let context) where context.codingPath.last?.stringValue == "id":
      path = context.codingPath
      reason = "the number in \(Self.name(of: path)) is too large; write it as a string"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      path = context.codingPath
      let isYear = path.last?.stringValue == "year"
      reason = "\(Self.name(of: path)) \(isYear ? context.debugDescription : "is not a whole number")"
    default: return brokenElement(places)
    }
    let element = Self.number(of: path).map { $0 - 1 }
    return CatalogFault(
      line: element.flatMap { places.elements.indices.contains($0) ? places.elements[$0].line : nil } ?? places.line,
      reason: reason)
  }

  /// The fault that the text is not UTF-8 or not JSON. For text that is not JSON, it has the place that Foundation
  /// names, or the first line of the first movie that is not valid JSON.
  private func brokenElement(_ places: JSONPlaces) -> CatalogFault {
    let builder = CatalogBuilder()
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      do throws(CatalogFault) { try builder.check(line, line: index + 1) } catch { return error }
    }
    let number = places.elements.firstIndex { place in
      (try? JSONSerialization.jsonObject(with: Data(bytes[place.range]), options: .fragmentsAllowed)) == nil
    }
    guard let number else { return CatalogFault(line: places.line, reason: "this is not valid JSON") }
    let element = places.elements[number]
    let movie = "movie \(number + 1) is not valid JSON"
    do { _ = try JSONSerialization.jsonObject(with: Data(bytes[element.range]), options: .fragmentsAllowed) } catch {
      // On Linux: "Invalid escape sequence around character 51."
      let text = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
      if let match = text.firstMatch(of: /^(.+) around character (\d+)\.$/), let offset = Int(match.2),
        offset <= element.range.count
      {
        let before = bytes[element.range].prefix(offset)
        let start = bytes[..<before.endIndex].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return CatalogFault(
          line: element.line + before.count { $0 == 0x0A },
          reason:
            "\(movie): \(match.1.prefix(1).lowercased())\(match.1.dropFirst()) near byte \(before.endIndex - start + 1)"
            + " of the line")
      }
    }
    return CatalogFault(line: element.line, reason: movie)
  }

  /// The number of the movie that a path leads into, counted from 1; `nil` if the path leads into none.
  private static func number(of path: [any CodingKey]) -> Int? {
    path.lazy.compactMap(\.intValue).first.map { $0 + 1 }
  }

  private static func name(of path: [any CodingKey]) -> String {
    guard let last = path.last else { return "the catalogue" }
    guard let number = number(of: path) else { return "'\(last.stringValue)'" }
    guard last.intValue != nil else { return "'\(last.stringValue)' of movie \(number)" }
    return path.contains { $0.stringValue == "genres" } ? "a genre of movie \(number)" : "movie \(number)"
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Int.Type: "a whole number"
    case is [Any].Type: "an array"
    default: "an object"
    }
  }
}

/// The lines of the movies in a JSON text. `JSONDecoder` describes a fault but does not give its line.
private struct JSONPlaces {
  /// A movie: its first line and its bytes.
  struct Element {
    var line: Int
    var range: Range<Int>
  }

  /// The movies in the order of the text.
  private(set) var elements: [Element] = []

  /// Whether an object contains the movies. If not, the whole text is an array.
  private(set) var isInObject = false

  /// The first line of the text.
  private(set) var line = 1

  /// A missing end of the text, characters after it, values that are nested too deep, or one of these faults, which
  /// `JSONDecoder` accepts: a comma without a value after it, and a second key `movies`.
  private(set) var fault: CatalogFault?

  /// The largest number of arrays and objects inside each other that `JSONDecoder` reads.
  private static let deepest = 512

  /// Scans the text once. It interprets only strings and brackets.
  init(_ bytes: [UInt8]) {
    var (line, depth, moviesDepth) = (1, 0, -1)
    var start: (place: Int, line: Int)?
    var text: (start: Int, line: Int)?
    var lastText: ArraySlice<UInt8> = []
    var (hasMovies, isMovies) = (false, false)
    var isEscaped = false
    var isEnded = false
    var commaLine: Int?
    var deepLine: Int?
    for place in bytes.indices {
      let byte = bytes[place]
      if byte == 0x0A { line += 1 }
      if let open = text {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          lastText = bytes[(open.start + 1)..<place]
          text = nil
        }
        continue
      }
      if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
      if isEnded {
        fault = CatalogFault(
          line: line,
          reason: "more text follows the end of the JSON; a catalogue is one array or one object"
            + (byte == UInt8(ascii: "{") ? ". Make one array of JSON Lines: jq -s . FILE > NEW" : ""))
        return
      }
      if depth == 0 {
        self.line = line
        isInObject = byte == UInt8(ascii: "{")
      }
      let isEnd = byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
      if isEnd, let commaLine {
        fault = CatalogFault(line: commaLine, reason: "this is not valid JSON: no value follows the comma")
        return
      }
      commaLine = byte == UInt8(ascii: ",") ? line : nil
      if depth == moviesDepth, isEnd || byte == UInt8(ascii: ",") {
        if let start { elements.append(Element(line: start.line, range: start.place..<place)) }
        start = nil
        if isEnd { moviesDepth = -1 }
      } else if depth == moviesDepth, start == nil {
        start = (place, line)
      }
      switch byte {
      case UInt8(ascii: ":") where depth == 1 && isInObject:
        isMovies = Self.isMovies(lastText)
        if isMovies, hasMovies {
          fault = CatalogFault(line: line, reason: "the object has the key 'movies' twice")
          return
        }
        hasMovies = hasMovies || isMovies
      case UInt8(ascii: "\""): text = (place, line)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > Self.deepest { deepLine = deepLine ?? line }
        let isArray = byte == UInt8(ascii: "[")
        if isArray, depth == 1 || (depth == 2 && isInObject && isMovies) {
          moviesDepth = depth
          elements = []
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        isEnded = depth <= 0
      default: break
      }
    }
    if let text {
      fault = CatalogFault(line: text.line, reason: "a string that begins here is never closed: the file is cut off")
    } else if !isEnded {
      fault = CatalogFault(line: line, reason: "a value is never closed: the file is cut off")
    } else if let deepLine {
      fault = CatalogFault(line: deepLine, reason: "the JSON is nested more than \(Self.deepest) levels deep")
    }
  }

  /// Whether a key between its quotes is `movies`. A letter may be written as an escape.
  private static func isMovies(_ key: ArraySlice<UInt8>) -> Bool {
    guard key.contains(UInt8(ascii: "\\")) else { return key.elementsEqual("movies".utf8) }
    let quote = [UInt8(ascii: "\"")]
    return (try? JSONDecoder().decode(String.self, from: Data(quote + key + quote))) == "movies"
  }
}
