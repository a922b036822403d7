import Foundation

/// A source file with all its defects. The environment of a run selects at most one of them.
struct MutatedSource {
  private let file: String
  private var lines: [String]
  /// The replacement for a line, by the line's index.
  private var statements: [Int: (count: Int, text: String)] = [:]
  private var expressions: [Int: [(offset: Int, length: Int, text: String)]] = [:]

  init(root: URL, file: String) throws {
    self.file = file
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Adds a defect with a number.
  mutating func add(_ defect: Defect, number: Int) throws {
    let old = defect.change.old
    let trimmed = lines.map { $0.trimmingCharacters(in: .whitespaces) }
    let found = trimmed.indices.filter { trimmed[$0...].starts(with: old) }
    guard let index = found.first, found.count == 1 else {
      throw MutationError(
        defect.place, "\(defect.name): \(file) has these lines \(found.count) times:\n\(old.joined(separator: "\n"))")
    }
    switch defect.change.form {
    case .statements(let new):
      // Inside a new block, such a statement would not have the same effect.
      let scoped = ["let ", "var ", "guard let ", "guard var ", "guard case ", "defer "]
      if let word = scoped.first(where: { word in old.contains { $0.hasPrefix(word) } }) {
        throw MutationError(defect.place, "\(defect.name): write '~' for a line with '\(word)'")
      }
      let range = index..<index + old.count
      guard range.allSatisfy({ expressions[$0] == nil }), statements.keys.allSatisfy({ $0 == index || !(range ~= $0) })
      else { throw MutationError(defect.place, "\(defect.name): another defect changes this line in part") }
      let original = statements[index]?.text ?? old.joined(separator: "\n")
      statements[index] = (
        old.count,
        new.isEmpty
          ? "if !Defect.is(\(number)) { \(original) }"
          : "if Defect.is(\(number)) { \(new.joined(separator: "\n")) } else { \(original) }"
      )
    case .expression(let before, let old, let new):
      guard statements.allSatisfy({ !($0.key..<$0.key + $0.value.count ~= index) }) else {
        throw MutationError(defect.place, "\(defect.name): another defect replaces this line")
      }
      let offset = before.count
      var places = expressions[index] ?? []
      if let known = places.firstIndex(where: { $0.offset == offset && $0.length == old.count }) {
        places[known].text = "(Defect.is(\(number)) ? (\(new)) : \(places[known].text))"
      } else {
        guard places.allSatisfy({ $0.offset + $0.length <= offset || offset + old.count <= $0.offset }) else {
          throw MutationError(defect.place, "\(defect.name): another defect changes a part of this expression")
        }
        places.append((offset, old.count, "(Defect.is(\(number)) ? (\(new)) : (\(old)))"))
      }
      expressions[index] = places
    }
  }

  /// The text of the file with its defects.
  var text: String {
    var result = lines
    for (index, places) in expressions {
      var line = Array(lines[index].trimmingCharacters(in: .whitespaces))
      for place in places.sorted(by: { $0.offset > $1.offset }) {
        line.replaceSubrange(place.offset..<place.offset + place.length, with: place.text)
      }
      result[index] = String(line)
    }
    for (index, replacement) in statements {
      result[index] = replacement.text
      for other in index + 1..<index + replacement.count { result[other] = "" }
    }
    return result.joined(separator: "\n")
  }
}
