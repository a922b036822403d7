import Foundation
import ReeluxCore

/// A catalogue is written with its movies when they are few. A large one is written as the file that it came from, with the
/// file's size and a fingerprint of the movies: a recording stays small, and a file that has changed is noticed.
extension Catalog: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, movies, notes, builtIn, file
  }

  /// A file with the movies.
  private struct File: Codable {
    var path: String
    var size: Int
    var fingerprint: String
  }

  /// The number of movies up to which they are written themselves.
  private static let small = 500

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    let isBuiltIn = name == Catalog.builtIn.name && movies == Catalog.builtIn.movies
    if isBuiltIn {
      try container.encode(CatalogShelf.fingerprint(of: self), forKey: .builtIn)
    } else if movies.count > Self.small, let (path, size) = Self.file(name) {
      let file = File(path: path, size: size, fingerprint: CatalogShelf.fingerprint(of: self))
      try container.encode(file, forKey: .file)
    } else {
      try container.encode(movies, forKey: .movies)
      try container.encode(notes, forKey: .notes)
    }
  }

  /// Reads what ``encode(to:)`` wrote; a large catalogue from its file.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    if let fingerprint = try container.decodeIfPresent(String.self, forKey: .builtIn) {
      guard fingerprint == CatalogShelf.fingerprint(of: .builtIn) else {
        throw CatalogError(
          kind: .malformed, file: name,
          reason: "this version of the app has a different built-in catalogue; use the version that made the recording")
      }
      self = .builtIn
    } else if let file = try container.decodeIfPresent(File.self, forKey: .file) {
      self = try Self.read(file, name: name)
    } else {
      self.init(
        name: name, movies: try container.decode([Movie].self, forKey: .movies),
        notes: try container.decode([String].self, forKey: .notes))
    }
  }

  private static func read(_ file: File, name: String) throws(CatalogError) -> Catalog {
    if let known = CatalogShelf.catalog(fingerprint: file.fingerprint, name: name) { return known }
    guard let (_, size) = Self.file(file.path) else {
      throw CatalogError(
        kind: .missing, file: file.path, reason: "the recording needs this catalogue, and it is not there")
    }
    let other = CatalogError(
      kind: .malformed, file: file.path,
      reason: "the recording needs this catalogue as it was, \(file.size) bytes with fingerprint \(file.fingerprint)")
    guard size == file.size else { throw other }
    let read = try CatalogReader.read(path: file.path)
    let catalog = Catalog(name: name, movies: read.movies, notes: read.notes)
    guard CatalogShelf.fingerprint(of: catalog) == file.fingerprint else { throw other }
    return catalog
  }

  /// The absolute path and the size of a file; `nil` if there is none.
  private static func file(_ path: String) -> (path: String, size: Int)? {
    let url = URL(fileURLWithPath: path)
    guard let values = try? FileManager.default.attributesOfItem(atPath: url.path),
      values[.type] as? FileAttributeType == .typeRegular, let size = values[.size] as? Int
    else { return nil }
    return (url.path, size)
  }
}

/// The last catalogues that were written or read, with their fingerprints: a fingerprint costs a pass over the movies.
private enum CatalogShelf {
  private struct Entry {
    var catalog: Catalog
    var fingerprint: String
  }

  private static let capacity = 4
  private static let entries = Locked<[Entry]>([])

  static func fingerprint(of catalog: Catalog) -> String {
    // The kept catalogues are alive, so an equal address means the same movies.
    let address = address(catalog)
    if let known = entries.withLock({ $0.first { self.address($0.catalog) == address }?.fingerprint }) { return known }
    let fingerprint = String(catalog.fingerprint, radix: 16)
    entries.withLock { entries in
      entries.append(Entry(catalog: catalog, fingerprint: fingerprint))
      if entries.count > capacity { entries.removeFirst() }
    }
    return fingerprint
  }

  static func catalog(fingerprint: String, name: String) -> Catalog? {
    entries.withLock { entries in
      entries.first { $0.fingerprint == fingerprint && $0.catalog.name == name }?.catalog
    }
  }

  private static func address(_ catalog: Catalog) -> UInt {
    catalog.movies.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
