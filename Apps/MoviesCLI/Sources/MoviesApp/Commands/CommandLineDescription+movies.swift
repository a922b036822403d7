extension CommandLineDescription {
  /// The command line of MoviesCLI.
  package static let movies = CommandLineDescription(
    program: "MoviesCLI",
    summary: "movies, favourites and a walk to the cinema, on one store.",
    examples: [
      "list --genre horror --sort year", "search caligari", "favorite add metropolis-1927",
      "--catalog movies.csv list --year 1994 --json", "track walk.gpx --log compact",
    ],
    commands: commandList,
    defaultCommand: "demo",
    globalOptions: [
      .option("--catalog", "FILE", "MovieLens movies.csv, IMDb title.basics.tsv or JSON; else a built-in one"),
      .option("--data-dir", "DIR", "where favourites are kept; else $XDG_DATA_HOME/reelux-movies"),
      .choice("--log", ["off", "compact", "pretty", "json"], "log every action"),
      .option("--log-file", "FILE", "log to this file, not to standard error; compact unless --log says"),
      .option("--record", "FILE", "record every action, for 'replay' and 'report'"),
      .option("--latency", "DURATION", "how long the simulated favourites server takes, such as 300ms"),
      .option("--failure-rate", "P", "how often the simulated server fails, 0 to 1"),
      .option("--seed", "N", "make everything random repeatable"),
      .choice("--color", ["auto", "always", "never"], "colour; auto: on a terminal, without NO_COLOR"),
      .flag("--quiet", "no notes and no progress"),
    ],
    notes: [
      (
        "Exit codes",
        [
          "0 done   1 failed, also an unknown movie   64 wrong usage   65 bad data   66 missing input",
          "74 input or output failed   130 interrupted   143 terminated",
          "Data go to standard output; notes, errors and logs to standard error.",
          "A reader that closes the pipe ends the program quietly, with 0.",
        ]
      ),
      (
        "Settings",
        [
          "A flag wins over the environment (--data-dir: MOVIES_DATA_DIR, and so on), the environment over the file",
          "$XDG_CONFIG_HOME/reelux-movies/settings (lines like 'color = never'), the file over the default.",
        ]
      ),
      (
        "Simulated",
        ["The favourites server, the walk and the cinemas are simulated or fictional. Nothing uses the network."]
      ),
    ])

  private static let json = OptionDescription.flag("--json", "print JSON with stable keys")
  private static let limit = OptionDescription.option("--limit", "N", "at most N movies")

  private static let commandList: [CommandDescription] = [
    CommandDescription(
      "demo", summary: "A narrated tour of the loop: action, reducer, effect, state.",
      details: "At most 15 seconds on a terminal, at once in a pipe. Nothing is written.", examples: ["demo"]),
    CommandDescription(
      "list",
      options: [
        .option("--genre", "G", "only this genre, without regard to case"),
        .option("--year", "Y|Y..Y", "only this year, or these years; either end may be open"),
        .choice("--sort", ["title", "year"], "the order; else the catalogue's"),
        .flag("--favorites", "only favourites"), limit, json,
      ],
      summary: "List movies.", examples: ["list --genre horror --year 1920..1925", "list --favorites --json"]),
    CommandDescription(
      "search", .many("TEXT"), options: [limit, json],
      summary: "Find movies by words of the title, without regard to case and diacritics.",
      details: "Every word must occur in the title. The best matches come first.",
      examples: ["search haxan", "search cabinet caligari --json"]),
    CommandDescription(
      "show", .one("ID"), options: [json], summary: "Show one movie.", examples: ["show metropolis-1927"]),
    CommandDescription(
      "favorite add", .many("ID"), options: [json], summary: "Make movies favourites.",
      details: favoriteDetails, examples: ["favorite add metropolis-1927 nosferatu-1922"]),
    CommandDescription(
      "favorite remove", .many("ID"), options: [json], summary: "Make movies favourites no more.",
      details: favoriteDetails, examples: ["favorite remove metropolis-1927"]),
    CommandDescription(
      "favorite toggle", .many("ID"), options: [json], summary: "Turn each movie's favourite on or off.",
      details: favoriteDetails, examples: ["favorite toggle metropolis-1927"]),
    CommandDescription(
      "favorite list", options: [json], summary: "List the favourites, in the order of the catalogue.",
      examples: ["favorite list"]),
    CommandDescription(
      "track", .optional("FILE"),
      options: [
        .option("--speed", "X|max", "times the real pace, or as fast as possible"), json,
      ],
      summary: "Follow a walk and name the nearest cinema.",
      details: """
        FILE is GPX 1.1 or an NMEA 0183 log; without one, a built-in walk past fictional cinemas is followed. Without
        --speed the walk takes about ten seconds on a terminal and no time in a pipe.
        """,
      examples: ["track walk.gpx", "track --speed max --json"]),
    CommandDescription(
      "nearby",
      options: [
        .option("--at", "LAT,LON", "a place in degrees; else the start of the built-in walk"),
        .option("--radius", "METRES", "how far to look; else 1000"), json,
      ],
      summary: "List the (fictional) cinemas around a place, the nearest first.",
      examples: ["nearby --at 52.3906,13.1200 --radius 500"]),
    CommandDescription(
      "replay", .one("FILE"),
      options: [
        .option("--to", "N", "stop after action N"), .flag("--step", "show every action and what it changed"),
        .option("--skip", "N,...", "leave these actions out and compute the later ones anew"), json,
      ],
      summary: "Run a recording again through the reducer, and check every state.",
      examples: ["replay run.jsonl --step", "replay run.jsonl --skip 3 --to 10"]),
    CommandDescription(
      "report", .one("FILE"), options: [.option("--output", "OUT.html", "the page to write; - for standard output")],
      summary: "Make a page of a recording, to look at in a browser.",
      examples: ["report run.jsonl --output run.html"]),
    CommandDescription(
      "run", .one("FILE"), summary: "Run a script: a command a line.",
      details: """
        FILE holds a command a line, without the program's name, and comments that begin with #; - is standard input. After a
        command, 'expect TEXT' checks what it wrote and 'expect exit N' how it ended. The first failure ends the script.
        """,
      examples: ["run tour.movies"]),
    CommandDescription(
      "settings", options: [json], summary: "Show every setting and where its value comes from.",
      examples: ["settings"]),
    CommandDescription(
      "completions", .one("SHELL"), summary: "Print completions for bash, zsh or fish.",
      examples: ["completions bash > ~/.local/share/bash-completion/completions/MoviesCLI"]),
    CommandDescription("man", summary: "Print the manual page.", examples: ["man > MoviesCLI.1"]),
  ]

  private static let favoriteDetails = """
    A favourite is saved by a simulated server that keeps its file in the data directory. One that the server refuses
    after all attempts is not kept, is reported, and makes the exit code 1.
    """
}
