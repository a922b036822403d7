import Foundation

/// Writes a copy of the repository that contains every defect of the lists.
///
///     Mutation REPOSITORY FOLDER LIST...
///
/// In FOLDER, each defect depends on `Defect.is(number)`, and the environment variable `REELUX_DEFECT` of a run selects
/// one. All defects are therefore built once. `plan.tsv` in FOLDER has a line for each defect: number, name, filter of
/// tests, lines of `Tests/conformance.txt`, and the reason why it is equivalent; `-` for none. An unchanged file in
/// FOLDER keeps its time and is not built again.
@main struct MutationProgram {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 2 else {
      print("usage: Mutation REPOSITORY FOLDER LIST...")
      exit(64)
    }
    do {
      let lists = try arguments.dropFirst(2).map { try DefectList(file: URL(filePath: $0)) }
      try MutatedCopy(of: URL(filePath: arguments[0]), in: URL(filePath: arguments[1]))
        .write(lists.flatMap(\.defects))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(65)
    }
  }
}
