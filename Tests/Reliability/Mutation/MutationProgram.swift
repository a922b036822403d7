import Foundation

/// Writes a copy of the repository that contains every defect of the lists.
///
///     Mutation REPOSITORY FOLDER LIST...
///
/// In FOLDER, each defect is behind `Defect.is(number)`, and the environment variable `REELUX_DEFECT` of a run chooses
/// one. So all defects are built once. `plan.tsv` in FOLDER has a line for each defect: number, name, filter of tests, and
/// why it is equivalent, or `-`. A file that is as it was in FOLDER keeps its time, and is not built again.
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
