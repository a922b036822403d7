import Foundation
import ReeluxCore
import ReeluxRecording

extension Command {
  /// `report`
  static let report = Command(
    "report", .one("FILE", .file),
    options: [
      .option("--output", "OUT.html", .file, "the page to write; - for standard output"),
      .option("--skip", "N,...", "show the run without these actions; also A..B"),
      .flag("--open", "open the page in a browser"),
    ],
    summary: "Make a page of a recording, to look at in a browser.",
    details: """
      FILE may be - for standard input. Without --output, the page is FILE with .html in place of .jsonl. The recording
      itself is never replaced. Exit code 1 means that the recording is damaged, that it has no end, or that the reducer
      computes states that differ from the recorded ones; the page shows where. With --skip, later states are computed
      anew, and an answer to a request that was left out is orphaned. The page marks it and gives the reason.
      """,
    examples: [
      "report run.jsonl --open", "report run.jsonl --output run.html --force", "report run.jsonl --skip 3,5..8 --open",
    ]
  ) { (arguments) throws(UsageError) in
    let file = arguments.first
    let name = file.hasSuffix(".jsonl") ? String(file.dropLast(6)) : file
    let skip = try arguments.skippedActions()
    let page = file == "-" ? "-" : "\(name)\(Report.suffix(skip)).html"
    let report = Report(
      file: file, output: arguments.text("--output") ?? page, skip: skip,
      replaces: arguments.has("--force"), opens: arguments.has("--open"))
    if report.opens, report.output == "-" { throw arguments.error("cannot open standard output") }
    return { (context) async throws(CommandFailure) in try report.run(context.console) }
  }
}

/// A recording as a page for a browser.
struct Report {
  let file: String
  let output: String
  let skip: Set<Int>
  let replaces: Bool
  let opens: Bool

  /// Writes the page into the file, or to standard output when the file is `-`.
  func run(_ console: Console) throws(CommandFailure) {
    let recording = try RecordingInput.open(file)
    try RecordingInput.check(skip, recording, file)
    let report: RecordingReport<AppAction, AppState>
    do {
      report = try RecordingReport(
        recording, reducer: Reducer.app, title: "\(recording.header.app): \(file)", hooks: RecordingInput.hooks,
        test: RecordingInput.test,
        whatIf: ReportWhatIf(skipping: skip, command: Self.command(file), fit: RecordingFit.fit))
    } catch {
      throw RecordingInput.failure(error, file)
    }
    if output == "-" { console.write(report.html) } else { try write(report, recording.count, console) }
    if !report.isAsRecorded {
      try RecordingInput.checkWhole(recording)
      throw CommandFailure(
        "\(file): the reducer computes states that differ from the recorded ones; the page shows where", .failed)
    }
  }

  /// What is put to the name of a page without some actions, so that it does not replace that of the whole run.
  static func suffix(_ skip: Set<Int>) -> String {
    if skip.isEmpty { return "" }
    let numbers = skip.sorted().prefix(8).map { "\($0)" }.joined(separator: "-")
    return "-without-\(numbers)\(skip.count > 8 ? "-and-\(skip.count - 8)-more" : "")"
  }

  /// The command lines that a page offers.
  private static func command(_ file: String) -> ReportWhatIf<AppAction, AppState>.Command {
    let program = "\(CommandLineDescription.movies.program) report"
    let isPlain = file.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-+=:@%".contains($0)) }
    let name = isPlain ? file : "'\(file.replacing("'", with: "'\\''"))'"
    return .init(skip: "\(program) \(name) --open --skip ", report: "\(program) --open ")
  }

  private func write(
    _ report: RecordingReport<AppAction, AppState>, _ count: Int, _ console: Console
  ) throws(CommandFailure) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandFailure("'\(output)' is a folder. Name a file in it.", .inputOutput)
    }
    do {
      try report.write(to: output, replacing: replaces)
    } catch {
      guard case .exists = error else { throw CommandFailure("\(error)", .inputOutput) }
      throw CommandFailure("'\(output)' exists already. Choose another file, or replace it with --force.", .inputOutput)
    }
    console.write("\(output): \(Prose.count(count, "action"))\n", flush: true)
    if opens { try open() }
  }

  private func open() throws(CommandFailure) {
    #if os(macOS)
      let program = "/usr/bin/open"
    #else
      let program = "/usr/bin/xdg-open"
    #endif
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: program)
    opener.arguments = [output]
    do {
      try opener.run()
    } catch {
      throw CommandFailure("\(output) is written, but \(program) cannot be started to open it", .failed)
    }
  }
}
