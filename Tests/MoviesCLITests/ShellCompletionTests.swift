import Foundation
import Testing

/// The completions in the shells themselves. A line and the tab key are typed, and the resulting line is read.
@Suite(.timeLimit(.minutes(15))) struct ShellCompletionTests {
  /// A shell, the command that starts it without the user's files, and the key that prints its line.
  struct Shell: Sendable {
    var name: String
    var arguments: [String]
    var setUp: String

    static let bash = Shell(
      name: "bash", arguments: ["--norc", "--noprofile", "-i"],
      setUp: #"""
        bind 'set enable-bracketed-paste off'; bind 'set bell-style none'
        bind -x '"\C-x":printf "<<%s>>\n" "$READLINE_LINE"; READLINE_LINE='
        source <(MoviesCLI completions bash)

        """#)
    static let zsh = Shell(
      name: "zsh", arguments: ["-f", "-i"],
      setUp: #"""
        unset zle_bracketed_paste; autoload -U compinit; compinit -u -D
        show() { printf '<<%s>>\n' "$BUFFER"; BUFFER= }; zle -N show; bindkey '^X' show
        source <(MoviesCLI completions zsh)

        """#)
    static let fish = Shell(
      name: "fish", arguments: ["--no-config", "-i"],
      setUp: #"""
        bind \cx 'printf "<<%s>>\n" (commandline); commandline ""'
        MoviesCLI completions fish | source

        """#)

    static let setsid = URL(filePath: "/usr/bin/setsid")

    /// The path of the shell; `nil` if it is not installed.
    var url: URL? {
      ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { URL(filePath: $0 + name) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    var canBeTried: Bool { url != nil && FileManager.default.isExecutableFile(atPath: Self.setsid.path) }
  }

  @Test(.enabled(if: Shell.bash.canBeTried, "bash or setsid is not installed."))
  func tabCompletesInBash() async throws { try await tabCompletesWhatTheProgramKnows(in: .bash) }

  @Test(.enabled(if: Shell.zsh.canBeTried, "zsh or setsid is not installed."))
  func tabCompletesInZsh() async throws { try await tabCompletesWhatTheProgramKnows(in: .zsh) }

  @Test(.enabled(if: Shell.fish.canBeTried, "fish or setsid is not installed."))
  func tabCompletesInFish() async throws { try await tabCompletesWhatTheProgramKnows(in: .fish) }

  private func tabCompletesWhatTheProgramKnows(in shell: Shell) async throws {
    let url = try #require(shell.url)
    var program = try MoviesProgram()
    program.environment["PATH"] = "\(MoviesProgram.executable.deletingLastPathComponent().path):/usr/bin:/bin"
    program.environment["MOVIES_LOG_FILE"] = "completions.log"
    try program.folder.write("a walk.gpx", "")
    try program.folder.write("walks/one.gpx", "")
    try program.folder.write("own.csv", "movieId,title,genres\n77,A,Zeta\n")
    try program.folder.write("his \"own\".csv", "movieId,title,genres\n88,A,Zeta\n")
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path("MoviesCLI"), withDestinationPath: MoviesProgram.executable.path)
    try program.folder.write("colons.csv", "movieId,title,genres\ntv:one,A,Zeta\ntv:b:two,B,Zeta\n")
    // The ids and genres of a catalogue are data. No shell may run a part of them, or replace it by names of files.
    try program.folder.write(
      "evil.json",
      #"""
      [{"id": "$(touch${IFS}ran-1)", "title": "A", "genres": ["`touch ran-2`"]},
       {"id": "m;touch ran-3", "title": "B"}, {"id": "x*", "title": "C"}, {"id": "ok", "title": "D"}]
      """#)
    let terminal = try PseudoTerminal(
      program, ["-c", "-w", url.path] + shell.arguments, executable: Shell.setsid, columns: 200)
    terminal.type(shell.setUp + "echo rea''dy\n")
    await terminal.wait(for: "ready\r\n")
    for (typed, completed) in [
      ("fav", "favorite"), ("favorite ad", "favorite add"), ("list --favo", "list --favorites"),
      ("list --sort t", "list --sort title"), ("--color nev", "--color never"), ("list --col", "list --color"),
      ("completions z", "completions zsh"), ("demo --without loc", "demo --without location"),
      ("show metro", "show metropolis-1927"),
      ("favorite add --latency 1s faust", "favorite add --latency 1s faust-1926"),
      ("favorite remove faust-1926 metro", "favorite remove faust-1926 metropolis-1927"),
      ("list --genre Wes", "list --genre Western"), ("--catalog own.csv show 7", "--catalog own.csv show 77"),
      ("--catalog own.csv list --genre Z", "--catalog own.csv list --genre Zeta"),
      ("track a", #"track a\ walk.gpx"#), ("--data-dir wal", "--data-dir walks/"),
      ("list --sort=y", "list --sort=year"), ("--catalog=own.csv show 7", "--catalog=own.csv show 77"),
      ("help favorite ad", "help favorite add"), ("help fav", "help favorite"), ("--versi", "--version"),
      ("--catalog - show metro", "--catalog - show metro"),
      ("--catalog colons.csv show tv:o", "--catalog colons.csv show tv:one"),
      ("--catalog colons.csv show tv:one tv:b:", "--catalog colons.csv show tv:one tv:b:two"),
    ] {
      terminal.type("MoviesCLI \(typed)\t\u{18}")
      // A shell adds a blank after a complete word.
      await terminal.wait(forOneOf: ["<<MoviesCLI \(completed)>>", "<<MoviesCLI \(completed) >>"])
    }
    // The shell keeps the words of the line as they were typed.
    for line in [
      "MoviesCLI --catalog ~/own.csv show 7", "MoviesCLI --catalog \"own.csv\" show 7",
      "~/MoviesCLI --catalog own.csv show 7",
      #"MoviesCLI --catalog 'his "own".csv' show 8"#, #"MoviesCLI --catalog his\ \"own\".csv show 8"#,
      #"MoviesCLI --catalog "his \"own\".csv" show 8"#, #"MoviesCLI --catalog ~/'his "own"'.csv show 8"#,
    ] {
      terminal.type("\(line)\t\u{18}")
      let completed = line + String(line.suffix(1))
      await terminal.wait(forOneOf: ["<<\(completed)>>", "<<\(completed) >>"])
    }
    for (typed, completed) in [
      ("show m", ["m\\;touch\\ ran-3", "'m;touch ran-3'"]), ("show x", ["x\\*", "'x*'"]),
      ("list --genre ", ["\\`touch\\ ran-2\\`", "`touch\\ ran-2`", "'`touch ran-2`'"]),
    ] {
      terminal.type("MoviesCLI --catalog evil.json \(typed)\t\u{18}")
      let start = "<<MoviesCLI --catalog evil.json " + (typed.hasSuffix(" ") ? typed : String(typed.dropLast()))
      await terminal.wait(forOneOf: completed.flatMap { ["\(start)\($0)>>", "\(start)\($0) >>"] })
    }
    terminal.type("exit\n")
    _ = await terminal.exitCode()
    #expect(!program.folder.names(".").contains { $0.hasPrefix("ran-") })
    // The settings are those of the user's commands, not of the tab key.
    #expect(!program.folder.names(".").contains("completions.log"))
  }
}
