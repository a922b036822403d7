import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct SignalTests {
  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func signalEndsTheProgramWithItsCodeAndWholeLines(signal: String, code: Int) async throws {
    let program = try MoviesProgram()
    // The first fix was printed, so the program is in the middle of the walk.
    let result = try await program.shell(
      """
      "$MOVIES" track --speed 1 --json > fixes & walk=$!
      until [ -s fixes ]; do sleep 0.05; done
      kill -\(signal) $walk; wait $walk; echo $?
      """)
    #expect(result.lines.last == "\(code)")
    #expect(result.errors.isEmpty)
    let fixes = try program.folder.text("fixes")
    #expect(fixes.hasSuffix("}\n"))
  }

  @Test(arguments: [
    ("--catalog - list", "movieId,title,genres\n1,A (1971),Drama\n"), ("track -", "<gpx><wpt lat='1' lon='2'/>"),
    ("replay -", "{"), ("watch - --once", "{"), ("run -", "# a comment\n"),
  ])
  func anInputThatEndsAfterAnInterruptIsNotUsed(command: String, input: String) async throws {
    let program = try MoviesProgram()
    try program.folder.write("input", input)
    // The input ends immediately after the signal, as if the signal had also ended the writer. Before, two threads of
    // the program wait for pipes: one for the input, and the other for signals.
    let result = try await program.shell(
      """
      mkfifo pipe
      for run in {1..10}; do
        exec 3<>pipe; cat input >&3
        "$MOVIES" \(command) < pipe > output 2>&1 3<&- & program=$!
        until [ "$(cat /proc/$program/task/*/wchan 2>/dev/null | grep -o pipe_read | wc -l)" -ge 2 ] ||
          [ $((tries += 1)) -gt 200 ]; do sleep 0.05; done
        kill -INT $program; exec 3<&-; wait $program; echo $? $(cat output)
      done
      """)
    #expect(result.lines == Array(repeating: "130", count: 10))
  }

  @Test func aSignalNamesTheChangesThatTheServerHasNotConfirmed() async throws {
    let program = try MoviesProgram()
    // The server takes five seconds for the favourites, and then for the change.
    let result = try await program.shell(
      """
      "$MOVIES" favorite add faust-1926 --latency 5s --log compact --log-file log & change=$!
      until grep -q 'set("faust-1926"' log 2>/dev/null; do sleep 0.05; done
      kill -TERM $change; wait $change; echo $?
      """)
    #expect(result.lines.last == "143")
    #expect(result.errors == "note: Faust (1926): the server has not confirmed the change\n")
  }

  @Test func aReaderThatHasStoppedDoesNotKeepTheProgram() async throws {
    let program = try MoviesProgram()
    var text = "movieId,title,genres\n"
    for number in 1...20_000 { text += "\(number),A title that is long enough to fill the pipe (1950),Drama\n" }
    try program.folder.write("movies.csv", text)
    // The first byte was read, so the program writes, and the pipe becomes full.
    let result = try await program.shell(
      """
      mkfifo pipe; exec 3<>pipe
      "$MOVIES" list --catalog movies.csv > pipe 3<&- & program=$!
      head -c 1 <&3 > first
      kill -TERM $program; wait $program; echo $?
      """)
    #expect(result.lines.last == "143")
  }

  @Test(arguments: ["--record", "--log-file"])
  func outputEndsAtASignalWhileTheFileIsWritten(option: String) async throws {
    let program = try MoviesProgram()
    let points = (0..<20_000).map { "<trkpt lat='1' lon='0.\(10_000 + $0)'/>" }.joined()
    try program.folder.write("walk.gpx", "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>")
    // The pipe is full at the signal, so the program is in the middle of the walk. Each action has one fix.
    let result = try await program.shell(
      """
      mkfifo pipe
      "$MOVIES" track walk.gpx --batch 1 --json --quiet \(option) file > pipe & walk=$!
      exec 3< pipe
      for line in {1..1000}; do read -r fix <&3; echo "$fix"; done > fixes
      kill -INT $walk; cat <&3 >> fixes; wait $walk; echo $?
      """)
    #expect(result.lines.last == "130")
    #expect(result.errors.isEmpty)
    let fixes = try program.folder.text("fixes")
    #expect(fixes.hasSuffix("}\n"))
    // An action that is processed at the end of the recording is not recorded.
    let written = try program.folder.text("file").split(separator: "\n").count { $0.contains("moved") }
    #expect(fixes.split(separator: "\n").count <= written + 1)
  }

  @Test func secondSignalEndsAProgramThatCannotWriteItsLog() async throws {
    let program = try MoviesProgram()
    let points = (0..<2000).map { "<trkpt lat='1' lon='0.\(1000 + $0)'/>" }.joined()
    try program.folder.write("walk.gpx", "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>")
    // The pipe is full and has no reader, so the first signal waits for the log. A signal before the program is ready
    // for one is lost, because the shell ignores it for programs in the background. So the signals continue.
    let result = try await program.shell(
      """
      mkfifo pipe; exec 3<>pipe
      "$MOVIES" track walk.gpx --log json 2> pipe > fixes 3<&- & program=$!
      until grep -q pipe_write /proc/$program/task/*/wchan 2>/dev/null || [ $((tries += 1)) -gt 200 ]; do sleep 0.05; done
      while kill -INT $program 2>/dev/null; do sleep 0.1; done
      wait $program; echo $?
      """)
    #expect(result.lines.last == "130")
  }

  @Test func logIsWrittenToTheEndOnASignal() async throws {
    let program = try MoviesProgram()
    let result = try await program.shell(
      """
      "$MOVIES" track --speed 1 --json --log json --log-file log.jsonl > fixes & walk=$!
      until [ -s fixes ]; do sleep 0.05; done
      kill -TERM $walk; wait $walk; echo $?
      """)
    #expect(result.lines.last == "143")
    let log = try program.folder.text("log.jsonl")
    #expect(log.contains("location.response.moved"))
    #expect(log.hasSuffix("}\n"))
  }
}
