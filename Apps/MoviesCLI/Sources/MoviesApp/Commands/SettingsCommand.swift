extension Command {
  /// `settings`
  static let settings = Command(
    "settings", options: [.json], summary: "Show every setting and where its value comes from.",
    examples: ["settings"]
  ) { (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      context.console.write(
        arguments.has("--json")
          ? SettingsText.json(context.settings)
          : SettingsText.table(context.settings, style: context.console.style))
    }
  }
}

/// Settings as text and as JSON.
private enum SettingsText {
  /// A table of settings.
  static func table(_ settings: Settings, style: TextStyle) -> String {
    TextTable(columns: [
      .init(heading: "SETTING"), .init(heading: "VALUE", yields: 1),
      .init(heading: "FROM", yields: 2, emphasis: .faint),
    ]).text(settings.all.map { [$0.name, $0.value, origin($0.origin)] }, style)
  }

  /// Settings as a JSON array.
  static func json(_ settings: Settings) -> String {
    JSONText.array(
      settings.all.map {
        .object([("name", .string($0.name)), ("value", .string($0.value)), ("origin", .string(origin($0.origin)))])
      })
  }

  private static func origin(_ origin: Setting.Origin) -> String {
    switch origin {
    case .flag: "command line"
    case .environment(let variable): "environment, \(variable)"
    case .file(let path, let line): "\(path):\(line)"
    case .standard: "default"
    }
  }
}
