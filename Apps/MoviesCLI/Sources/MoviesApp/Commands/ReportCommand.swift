import Dispatch
import Foundation
import ReeluxCore
import ReeluxRecording

extension Command {
  /// `report`
  static let report = Command(
    "report", .one("FILE", .file),
    options: [
      .option("--output", "OUT.html", .file, "the page to write; - for standard output"),
      .option("--skip", "N,...", "show the run without these actions; ranges as A..B"),
      .flag("--open", "open the page in a browser"),
    ],
    summary: "Write a recording as a page for a browser.",
    details: """
      FILE may be - for standard input. Without --output, the page of run.jsonl is run.html, the page of --skip 3,5 is
      run-without-3-5.html, and the page of standard input or of a pipe goes to standard output. The recording itself is
      never replaced. Exit code 1 means that the recording is damaged or incomplete, that an action number that you gave
      does not exist, or that the reducer computes states that differ from the recorded ones. The page shows where they
      differ. With --skip, later states are computed again. If a request is left out, its response is left out too. The
      page lists it as 'orphaned' and shows the reason next to it.
      """,
    examples: [
      "report run.jsonl --open", "report run.jsonl --output run.html --force", "report run.jsonl --skip 3,5..8 --open",
    ], sendsActions: false
  ) { (arguments) throws(UsageError) in
    let file = arguments.first
    let name = file.hasSuffix(".jsonl") ? String(file.dropLast(6)) : file
    let skip = try arguments.skippedActions()
    let page = InputFile.isStream(file) ? "-" : "\(name)\(Report.suffix(skip)).html"
    let report = Report(
      file: file, output: arguments.text("--output") ?? page, skip: skip,
      replaces: arguments.has("--force"), opens: arguments.has("--open"))
    if report.opens, report.output == "-" {
      throw arguments.error("cannot open a page on standard output; name a file with --output")
    }
    return { (context) async throws(CommandFailure) in
      var files = context.files
      // The report itself refuses to replace its recording.
      if report.output != "-" { try files.claim(report.output, for: "--output", exempt: file) }
      try report.run(context.console, program: context.runner.program)
    }
  }
}

/// The page for a browser that shows a recording.
struct Report {
  let file: String
  let output: String
  let skip: IndexSet
  let replaces: Bool
  let opens: Bool

  /// Writes the page to ``output``, or to standard output if it is `-`. Throws after that if the states differ.
  ///
  /// - Parameter program: The command that starts the program, for the command lines that the page shows.
  func run(_ console: Console, program: String) throws(CommandFailure) {
    try checkOutput()
    let recording = try RecordingInput.open(file)
    try RecordingInput.check(skip.integerGreaterThan(recording.count), recording, file)
    if recording.count >= 1_000 {
      console.progress?.show("writing a report of \(Prose.count(recording.count, "action"))")
    }
    defer { console.progress?.clear() }
    let report: RecordingReport<AppAction, AppState>
    do {
      report = try RecordingReport(
        recording, reducer: Reducer.app, title: "\(recording.header.app): \(InputFile.name(file))",
        hooks: RecordingInput.hooks, test: RecordingInput.test,
        whatIf: ReportWhatIf(skipping: Set(skip), command: command(program), fit: RecordingFit.fit))
    } catch {
      throw RecordingInput.failure(error, file)
    }
    if output == "-" {
      let page = report.html
      console.progress?.clear()
      console.write(page)
    } else {
      try write(report, recording.count, console)
    }
    if !report.isAsRecorded {
      try RecordingInput.checkWhole(recording)
      throw CommandFailure(
        "\(InputFile.name(file)): the reducer computes states that differ from the recorded ones; the page shows where",
        .failed)
    }
  }

  /// The suffix of the file name of a page without some actions. Such a page does not replace the page of the whole
  /// run.
  static func suffix(_ skip: IndexSet) -> String {
    if skip.isEmpty { return "" }
    let numbers = skip.prefix(8).map { "\($0)" }.joined(separator: "-")
    return "-without-\(numbers)\(skip.count > 8 ? "-and-\(skip.count - 8)-more" : "")"
  }

  /// The command lines that the page shows. Standard input cannot be read again, so they name a file in its place.
  private func command(_ program: String) -> ReportWhatIf<AppAction, AppState>.Command {
    let path = file.hasPrefix("-") ? "./" + file : file
    let name = file == "-" ? "FILE" : Program.shellWord(path)
    return .init(skip: "\(program) report \(name) --open --skip ", report: "\(program) report --open ")
  }

  /// Checks the output before the work.
  private func checkOutput() throws(CommandFailure) {
    if output == "-" { return }
    if let file = FileIdentity(output), !file.holdsContent {
      try WritableFile.check(output)
      throw CommandFailure("\(output): this is not a file. Name a file, or - for standard output.", .inputOutput)
    }
    // The report itself refuses to replace its recording.
    if !replaces, FileIdentity(output) != FileIdentity(file) { try WritableFile.checkIsNew(output) }
    try WritableFile.check(output)
  }

  private func write(
    _ report: RecordingReport<AppAction, AppState>, _ count: Int, _ console: Console
  ) throws(CommandFailure) {
    // The recording has been read, so its catalogue is known.
    if let file = FileIdentity(output), Catalog.recordedFiles.contains(where: { FileIdentity($0) == file }) {
      throw OutputFiles.isRead(output)
    }
    do {
      try report.write(to: output, replacing: replaces)
    } catch {
      if case .exists = error { throw CommandFailure(WritableFile.exists(output), .inputOutput) }
      throw CommandFailure("\(error)", .inputOutput)
    }
    console.progress?.clear()
    let left = skip.isEmpty ? "" : ", \(skip.count) left out"
    console.write("\(TextStyle.harmless(output)): \(Prose.count(count, "action"))\(left)\n", flush: true)
    if opens { try open() }
  }

  /// Opens the page with the system's program for it. Without a browser, this program fails soon.
  private func open() throws(CommandFailure) {
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A relative path could be read as an option or as an address.
    opener.arguments = [program, URL(fileURLWithPath: output).path]
    opener.standardError = FileHandle.nullDevice
    let end = DispatchSemaphore(value: 0)
    opener.terminationHandler = { _ in end.signal() }
    let hasStarted = (try? opener.run()) != nil
    // A browser that stays in the foreground is not waited for.
    let hasFailed = !hasStarted || (end.wait(timeout: .now() + 5) == .success && opener.terminationStatus != 0)
    if hasFailed {
      throw CommandFailure(
        "\(output) is written, but '\(program)' cannot open it. Open the file in a browser.", .failed)
    }
  }
}
