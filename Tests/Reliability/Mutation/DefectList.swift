import Foundation

/// Reads lists of defects.
///
/// A list has one entry after another:
///
///     folder Packages/Core/Sources/ReeluxCore
///     filter ReeluxCoreTests
///
///     @ throttle-loses-the-latest Effect/Throttle.swift
///     - latest = effect
///
///     @ retry-once-less Effect/Backoff.swift EffectTimeTests
///     ~ guard {{failures < attempts => failures + 1 < attempts}}, !isFinal(error) else { throw error }
///
/// `folder` and `filter` apply to the following entries. An entry can have its own filter. `-` lines are replaced by
/// `+` lines, or removed. In a `~` line, the expression in double braces is replaced. The old lines must occur exactly
/// once in the file. `=` lists the lines of `Tests/conformance.txt` that forbid the defect. `!` gives the reason why no
/// test can detect the defect. `#` begins a comment.
struct DefectList {
  private(set) var defects: [Defect] = []
  private var folder = ""
  private var filter = ""
  private var header: (name: String, file: String, filter: String, place: String)?
  private var old: [String] = []
  private var new: [String] = []
  private var form: Defect.Form?
  private var equivalence: String?
  private var lines: [Int] = []

  init(file: URL) throws {
    let text = try String(contentsOf: file, encoding: .utf8)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      try read(String(line), "\(file.lastPathComponent):\(index + 1)")
    }
    try finish()
  }

  private mutating func read(_ line: String, _ place: String) throws {
    let words = line.split(separator: " ").map(String.init)
    guard let first = words.first, !first.hasPrefix("#") else { return }
    let rest = String(line.trimmingCharacters(in: .whitespaces).dropFirst(first.count)).trimmingCharacters(
      in: .whitespaces)
    switch first {
    case "folder":
      try finish()
      folder = rest
    case "filter":
      try finish()
      filter = rest
    case "@":
      try finish()
      guard words.count == 3 || words.count == 4 else {
        throw MutationError(place, "an entry begins '@ name file' or '@ name file filter'")
      }
      header = (words[1], "\(folder)/\(words[2])", words.count == 4 ? words[3] : filter, place)
    case "-": old.append(rest)
    case "+": new.append(rest)
    case "!": equivalence = rest
    case "=":
      lines = words.dropFirst().compactMap { Int($0) }
      if lines.isEmpty || lines.count != words.count - 1 { throw MutationError(place, "a '=' line contains numbers") }
    case "~": try readExpression(rest, place)
    default: throw MutationError(place, "the line begins with '\(first)'")
    }
  }

  private mutating func readExpression(_ line: String, _ place: String) throws {
    guard let start = line.range(of: "{{"), let arrow = line.range(of: " => "),
      let end = line.range(of: "}}", options: .backwards), start.upperBound < arrow.lowerBound,
      arrow.upperBound <= end.lowerBound
    else { throw MutationError(place, "a '~' line contains '{{old => new}}'") }
    let before = String(line[..<start.lowerBound])
    let expression = String(line[start.upperBound..<arrow.lowerBound])
    old = [before + expression + line[end.upperBound...]]
    form = .expression(before: before, old: expression, new: String(line[arrow.upperBound..<end.lowerBound]))
  }

  private mutating func finish() throws {
    defer { (header, old, new, form, equivalence, lines) = (nil, [], [], nil, nil, []) }
    guard let header else { return }
    guard !old.isEmpty else { throw MutationError(header.place, "the defect changes nothing") }
    defects.append(
      Defect(
        name: header.name, file: header.file, filter: header.filter,
        change: Defect.Change(old: old, form: form ?? .statements(new)), equivalence: equivalence, lines: lines,
        place: header.place))
  }
}
