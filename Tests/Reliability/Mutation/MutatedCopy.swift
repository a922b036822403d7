import Foundation

/// A copy of the repository with defects.
struct MutatedCopy {
  private let repository: URL
  private let folder: URL

  init(of repository: URL, in folder: URL) {
    self.repository = repository
    self.folder = folder
  }

  func write(_ defects: [Defect]) throws {
    var sources: [String: MutatedSource] = [:]
    var names: Set<String> = []
    var plan = ""
    var faults: [String] = []
    for (index, defect) in defects.enumerated() {
      let number = index + 1
      guard names.insert(defect.name).inserted else {
        throw MutationError(defect.place, "another defect is called \(defect.name)")
      }
      do {
        guard FileManager.default.fileExists(atPath: repository.appending(path: defect.file).path) else {
          throw MutationError(defect.place, "\(defect.name): there is no file \(defect.file)")
        }
        var source = try sources[defect.file] ?? MutatedSource(root: repository, file: defect.file)
        try source.add(defect, number: number)
        sources[defect.file] = source
      } catch {
        faults.append("\(error)")
      }
      let lines = defect.lines.isEmpty ? "-" : defect.lines.map(String.init).joined(separator: ",")
      plan +=
        [String(number), defect.name, defect.filter, lines, defect.equivalence ?? "-"].joined(separator: "\t") + "\n"
    }
    if !faults.isEmpty { throw MutationError("\(faults.count) of the defects", "\n" + faults.joined(separator: "\n")) }
    for part in ["Packages", "Apps", "Tests"] {
      try copy(part, except: sources)
      try removeMissing(part)
    }
    for (file, source) in sources {
      try write(source.text, to: file)
      let parts = file.split(separator: "/")
      guard let index = parts.firstIndex(of: "Sources"), index + 1 < parts.count else { continue }
      try write(Self.choice, to: parts[...(index + 1)].joined(separator: "/") + "/Defect.swift")
    }
    try write(manifest(), to: "Package.swift")
    try write(plan, to: "plan.tsv")
    print("\(defects.count) defects in \(sources.count) files")
  }

  private func copy(_ part: String, except sources: [String: MutatedSource]) throws {
    guard let all = FileManager.default.enumerator(atPath: repository.appending(path: part).path) else {
      throw MutationError(part, "is not a folder of the repository")
    }
    for case let name as String in all {
      let file = "\(part)/\(name)"
      var isFolder: ObjCBool = false
      let path = repository.appending(path: file).path
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
        !name.contains(".build/"), sources[file] == nil
      else { continue }
      let bytes = try Data(contentsOf: repository.appending(path: file))
      guard file.hasPrefix("Tests/MoviesCLITests/"), let text = String(data: bytes, encoding: .utf8) else {
        try write(bytes, to: file)
        continue
      }
      // These tests run the program with a separate environment.
      let addition = "\"REELUX_DEFECT\": ProcessInfo.processInfo.environment[\"REELUX_DEFECT\"] ?? \"\","
      try write(text.replacing("\"LANG\": \"C.UTF-8\",", with: "\"LANG\": \"C.UTF-8\", \(addition)"), to: file)
    }
  }

  /// Removes the copies of sources that the repository no longer has.
  private func removeMissing(_ part: String) throws {
    guard let all = FileManager.default.enumerator(atPath: folder.appending(path: part).path) else { return }
    for case let name as String in all where name.hasSuffix(".swift") && !name.hasSuffix("/Defect.swift") {
      let file = "\(part)/\(name)"
      guard !FileManager.default.fileExists(atPath: repository.appending(path: file).path) else { continue }
      try FileManager.default.removeItem(at: folder.appending(path: file))
    }
  }

  private func write(_ text: String, to file: String) throws { try write(Data(text.utf8), to: file) }

  private func write(_ bytes: Data, to file: String) throws {
    let url = folder.appending(path: file)
    if let old = try? Data(contentsOf: url), old == bytes { return }
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }

  /// The manifest without programs and packages that have no defects.
  private func manifest() throws -> String {
    let text = try String(contentsOf: repository.appending(path: "Package.swift"), encoding: .utf8)
    return text + """

      let apps = ["FilmShelfTerminal", "FilmShelfSwiftUI"]
      let left = apps + ["Benchmarks", "LocationBenchmarks", "Fuzz", "Mutation", "Reliability"]
      package.targets.removeAll { left.contains($0.name) }
      package.products = []

      """
  }

  /// The file that is added to every changed module.
  private static let choice = """
    #if canImport(Darwin)
      import Darwin
    #elseif canImport(Glibc)
      import Glibc
    #elseif canImport(Musl)
      import Musl
    #endif

    @usableFromInline
    enum Defect {
      private static let chosen = getenv("REELUX_DEFECT").flatMap { Int32(String(cString: $0)) } ?? 0

      @usableFromInline
      static func `is`(_ number: Int32) -> Bool { number == chosen }
    }

    """
}
