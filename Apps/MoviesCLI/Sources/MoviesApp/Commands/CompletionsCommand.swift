extension Command {
  /// `completions`
  static let completions = Command(
    "completions", .one("SHELL", .choice(Shell.allCases.map(\.rawValue))),
    summary: "Print completions for bash, zsh or fish.",
    examples: ["completions bash > ~/.local/share/bash-completion/completions/MoviesCLI"], sendsActions: false
  ) { (arguments) throws(UsageError) in
    guard let shell = Shell(rawValue: arguments.first) else {
      throw arguments.error(
        "needs one of \(Prose.list(Shell.allCases.map(\.rawValue), "or")), not '\(arguments.first)'")
    }
    return { (context) async throws(CommandFailure) in
      context.console.write(CommandLineDescription.movies.completions(for: shell))
    }
  }

  /// `man`
  static let manual = Command(
    "man", summary: "Print the manual page.", examples: ["man > MoviesCLI.1"], sendsActions: false
  ) {
    (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      context.console.write(CommandLineDescription.movies.manualPage(version: Program.version))
    }
  }
}
