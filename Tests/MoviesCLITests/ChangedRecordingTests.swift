import Foundation
import Testing

/// Recordings that another program has changed, and what the messages say.
@Suite(.timeLimit(.minutes(15))) struct ChangedRecordingTests {
  @Test func recordingThatAnEditorHasChangedIsExplained() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("genres", "--record", "run.jsonl")
    let text = try program.folder.text("run.jsonl")
    let replayed = try await program.run("replay", "run.jsonl")
    try program.folder.write("windows.jsonl", text.replacing("\n", with: "\r\n"))
    let windows = try await program.run("replay", "windows.jsonl")
    #expect(windows.exitCode == 1)
    #expect(windows.errors.contains("windows.jsonl:1: the file has Windows line ends. Convert them first: tr -d '\\r'"))
    try program.folder.write("mark.jsonl", "\u{FEFF}" + text)
    #expect(try await program.run("replay", "mark.jsonl").errors.contains("it begins with a byte order mark"))
    try program.folder.write("blank.jsonl", text + "\n")
    let blank = try await program.run("replay", "blank.jsonl")
    #expect(blank.exitCode == 0)
    #expect(blank.output == replayed.output)
    #expect(try await program.run("watch", "blank.jsonl").exitCode == 0)
    try program.folder.write("blanks.jsonl", text + "\n \t\r\n\n")
    for command in ["replay", "report", "watch"] {
      let blanks = try await program.run(command, "blanks.jsonl")
      #expect(blanks.exitCode == 0, "\(command): \(blanks.errors)")
    }
  }

  @Test func compressedRecordingNamesTheProgramThatUnpacksIt() async throws {
    let program = try MoviesProgram()
    try program.folder.write("run.jsonl.gz", Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
    let replay = try await program.shell("\"$MOVIES\" replay run.jsonl.gz")
    #expect(replay.errors.contains("it is compressed with gzip. Decompress it first: gzip -dc FILE > NEW"))
  }

  @Test func anActionBehindTheDamageIsReportedWithTheDamage() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("genres", "--record", "run.jsonl")
    let lines = try program.folder.text("run.jsonl").split(separator: "\n", omittingEmptySubsequences: false)
    try program.folder.write("lost.jsonl", (lines.prefix(2) + lines.dropFirst(3)).joined(separator: "\n"))
    let lost = try await program.run("replay", "lost.jsonl", "--to", "2")
    #expect(lost.exitCode == 1)
    #expect(lost.errors == "error: lost.jsonl:3: action 2 is lost: this line contains the end after action 2\n")
    try program.folder.write("cut.jsonl", lines.prefix(2).joined(separator: "\n") + "\n")
    let cut = try await program.run("report", "cut.jsonl", "--skip", "2")
    #expect(cut.exitCode == 1)
    #expect(cut.errors.hasPrefix("error: cut.jsonl:3: the recording has no end: "))
  }

  @Test func messagesNameStandardInput() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("genres", "--record", "run.jsonl")
    let replay = try await program.shell("\"$MOVIES\" replay - --to 99 < run.jsonl")
    #expect(replay.errors.hasPrefix("error: standard input: there is no action 99; "))
    let report = try await program.shell("\"$MOVIES\" report - < run.jsonl")
    #expect(report.output.contains("<title>MoviesCLI: standard input</title>"))
  }
}
