extension Command {
  /// `settings`
  static let settings = Command(
    "settings", options: [.format, .json], summary: "Show every setting and where its value comes from.",
    details: """
      The settings file is $XDG_CONFIG_HOME/reelux-movies/settings, or ~/.config/reelux-movies/settings. The environment
      variables of the settings are MOVIES_CATALOG, MOVIES_DATA_DIR, MOVIES_LOG, MOVIES_LOG_FILE, MOVIES_LATENCY,
      MOVIES_FAILURE_RATE, MOVIES_SEED and MOVIES_COLOR. --record, --force and --quiet have no setting.

      Each line of the file has a name and a value, such as 'color = never'. The names are catalog, data-dir, log,
      log-file, latency, failure-rate, seed and color. A comment is a line of its own that begins with #. Quotes are
      part of a value. If a name occurs twice, the last line counts. In the file and in the variables, a path may begin
      with ~/ for the home folder. Any other relative path starts at the current folder.
      """,
    examples: ["settings"], sendsActions: false
  ) { (arguments) throws(UsageError) in
    let format = try arguments.format()
    return { (context) async throws(CommandFailure) in
      let listing = Listing<Setting>(columns: [
        .init(key: "name", json: { .string($0.name) }, text: \.name, table: .init(heading: "SETTING")),
        .init(key: "value", json: { .string($0.value) }, text: \.value, table: .init(heading: "VALUE", shrinkOrder: 1)),
        .init(
          key: "origin", json: { .string($0.origin.text) }, text: \.origin.text,
          table: .init(heading: "FROM", shrinkOrder: 2, emphasis: .faint)),
      ])
      context.console.stream { listing.write(context.settings.all, as: format, style: $0, to: $1) }
    }
  }
}

extension Setting.Origin {
  fileprivate var text: String {
    switch self {
    case .flag: "command line"
    case .environment(let variable): "environment, \(variable)"
    case .file(let path, let line): "\(path):\(line)"
    case .standard: "default"
    }
  }
}
