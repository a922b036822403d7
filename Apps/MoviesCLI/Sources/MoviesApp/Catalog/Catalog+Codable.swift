import Foundation
import ReeluxCore
import ReeluxLogger

/// The built-in catalogue is encoded as a fingerprint. Another small catalogue is encoded with its movies. A large one
/// is encoded as the path of its file, the file's size and a fingerprint of the movies. A recording therefore stays
/// small, and a file that has changed is detected. A large catalogue without a file is encoded with its movies.
extension Catalog: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, movies, notes, builtIn, file
  }

  /// The file of a large catalogue.
  private struct File: Codable {
    var path: String
    var size: Int
    var fingerprint: String

    /// The content in messages.
    var content: String { "\(size) bytes with fingerprint \(fingerprint)" }
  }

  /// The largest number of movies of a small catalogue.
  private static let small = 500

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    let isBuiltIn = name == Catalog.builtIn.name && movies == Catalog.builtIn.movies
    if isBuiltIn {
      try container.encode(CatalogCache.fingerprint(of: self), forKey: .builtIn)
    } else if movies.count > Self.small, let place = CatalogCache.place(of: self) {
      let file = File(path: place.path, size: place.size, fingerprint: CatalogCache.fingerprint(of: self))
      try container.encode(file, forKey: .file)
    } else {
      try container.encode(Array(movies), forKey: .movies)
      try container.encode(notes, forKey: .notes)
    }
  }

  /// Decodes a catalogue. A large one is read from its file.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    if let fingerprint = try container.decodeIfPresent(String.self, forKey: .builtIn) {
      guard fingerprint == CatalogCache.fingerprint(of: .builtIn) else {
        throw CatalogError(
          kind: .malformed, file: name,
          reason: "this version of the app has a different built-in catalogue; use the version that made the recording")
      }
      self = .builtIn
    } else if let file = try container.decodeIfPresent(File.self, forKey: .file) {
      self = try Self.read(file, name: name)
    } else {
      self.init(
        name: name, movies: Movies(try container.decode([Movie].self, forKey: .movies)),
        notes: try container.decode([String].self, forKey: .notes))
      // It is encoded as it was recorded, even if there is a file at its path now.
      if movies.count > Self.small { _ = CatalogCache.fingerprint(of: self, from: .some(nil)) }
    }
  }

  /// The beginning of the reason if the file of a recorded catalogue is missing or cannot be read. A recording keeps
  /// only the text of an error.
  static let missingFile = "the recording needs this catalogue, but "

  /// Sets the file to read in place of the file of a recorded catalogue, if it has the recorded content.
  static func replaceMovedFile(by path: String?) { CatalogCache.replacement.withLock { $0 = path } }

  /// The files of the catalogues that were encoded or decoded last.
  static var recordedFiles: [String] { CatalogCache.files }

  private static func read(_ file: File, name: String) throws(CatalogError) -> Catalog {
    if let known = CatalogCache.catalog(fingerprint: file.fingerprint, name: name) { return known }
    var advice: String?
    if let other = CatalogCache.replacement.withLock({ $0 }), !isOneFile(other, file.path) {
      do throws(CatalogError) { return try read(file, at: other, name: name) } catch {
        let reason = error.kind == .missing ? error.reason : "it has other content; the recording needs \(file.content)"
        advice = ". The catalogue '\(other)' cannot be used instead: \(reason)"
      }
    }
    do throws(CatalogError) { return try read(file, at: file.path, name: name) } catch {
      let reason =
        error.kind == .missing
        ? "\(missingFile)\(error.reason)"
          + (advice ?? ". If it was moved, name it with --catalog")
        : error.reason + (advice ?? "")
      throw CatalogError(kind: error.kind, file: error.file, line: error.line, reason: reason)
    }
  }

  /// Whether two paths lead to one file. Such a file is read only once.
  private static func isOneFile(_ one: String, _ other: String) -> Bool {
    let paths = [one, other].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    return paths[0] == paths[1]
  }

  /// Reads a recorded catalogue from a file at this path. The size of the file is compared before its content is read.
  private static func read(_ file: File, at path: String, name: String) throws(CatalogError) -> Catalog {
    func failure(_ kind: CatalogError.Kind, _ reason: String) -> CatalogError {
      CatalogError(kind: kind, file: path, reason: reason)
    }
    if path == "-" { throw failure(.missing, "it must be a file") }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let code = errno
      let isMissing = code == ENOENT || code == ENOTDIR
      throw failure(
        .missing, isMissing ? "the file does not exist" : "the file cannot be read: \(Descriptor.reason(code))")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure(.missing, "it is a folder")
    default: throw failure(.missing, "it must be a file")
    }
    let changed = "the file has changed since the recording, which needs the earlier content: \(file.content)"
    guard Int(status.st_size) == file.size else { throw failure(.malformed, changed) }
    let read = try CatalogReader.read(path: path)
    let catalog = Catalog(name: name, movies: read.movies, notes: read.notes)
    // The catalogue keeps the recorded path, so that its state has the recorded checksum.
    guard CatalogCache.fingerprint(of: catalog, from: (file.path, file.size)) == file.fingerprint else {
      throw failure(.malformed, changed)
    }
    return catalog
  }
}

/// The catalogues that were encoded or decoded last, with their fingerprints and files. A fingerprint costs a pass over
/// the movies, and the size of a file costs a system call.
private enum CatalogCache {
  typealias Place = (path: String, size: Int)

  private struct Entry {
    var catalog: Catalog
    var fingerprint: String
    var place: Place?
  }

  private static let capacity = 4
  private static let entries = Locked<[Entry]>([])
  /// The file to read in place of the file of a recorded catalogue.
  static let replacement = Locked<String?>(nil)

  /// - Parameter place: The path and the size of the file, or that there is none, if this is known. The name of a
  ///   decoded catalogue may be relative to another working directory.
  static func fingerprint(of catalog: Catalog, from place: Place?? = nil) -> String {
    entry(of: catalog, from: place).fingerprint
  }

  /// The absolute path and the size of the file that a catalogue was read from; `nil` if there is none.
  static func place(of catalog: Catalog) -> Place? { entry(of: catalog).place }

  static var files: [String] { entries.withLock { $0.compactMap(\.place?.path) } }

  private static func entry(of catalog: Catalog, from place: Place?? = nil) -> Entry {
    // This is correct, because the catalogues in the cache are alive: an equal address means the same movies.
    let address = address(catalog)
    if let known = entries.withLock({
      $0.first { self.address($0.catalog) == address && $0.catalog.name == catalog.name }
    }) {
      return known
    }
    let found = place ?? (catalog.name == CatalogReader.standardInput ? nil : file(catalog.name))
    let entry = Entry(catalog: catalog, fingerprint: String(catalog.fingerprint, radix: 16), place: found)
    entries.withLock { entries in
      entries.append(entry)
      if entries.count > capacity { entries.removeFirst() }
    }
    return entry
  }

  /// The absolute path and the size of a file; `nil` if there is none.
  static func file(_ path: String) -> Place? {
    let url = URL(fileURLWithPath: path)
    guard let values = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path),
      values[.type] as? FileAttributeType == .typeRegular, let size = values[.size] as? Int
    else { return nil }
    return (url.path, size)
  }

  static func catalog(fingerprint: String, name: String) -> Catalog? {
    entries.withLock { entries in
      entries.first { $0.fingerprint == fingerprint && $0.catalog.name == name }?.catalog
    }
  }

  private static func address(_ catalog: Catalog) -> UInt {
    unsafe catalog.movies.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
