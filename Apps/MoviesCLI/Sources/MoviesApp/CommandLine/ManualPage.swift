extension CommandLineDescription {
  /// The manual page, in the man macros of roff.
  package func manualPage(version: String) -> String {
    var page = ".TH \(roff(program.uppercased())) 1 \"\" \"\(roff(program)) \(roff(version))\"\n"
    page += ".SH NAME\n\(roff(program)) \\- \(roff(summary))\n"
    page += ".SH SYNOPSIS\n.B \(roff(program))\n[COMMAND] [OPTIONS]\n"
    page += ".SH EXAMPLES\n.nf\n" + examples.map { roff("\(program) \($0)") + "\n" }.joined() + ".fi\n"
    page += ".SH COMMANDS\n"
    for command in commands {
      page += ".TP\n.B \(roff(command.usage))\n\(roff(command.summary))\n"
      if !command.details.isEmpty { page += roff(command.details) + "\n" }
      for option in command.options { page += ".RS\n.TP\n.B \(roff(option.usage))\n\(roff(option.summary))\n.RE\n" }
    }
    page += ".SH OPTIONS OF EVERY COMMAND\n"
    for option in globalOptions { page += ".TP\n.B \(roff(option.usage))\n\(roff(option.summary))\n" }
    page += ".TP\n.B \\-h, \\-\\-help\nprint help\n.TP\n.B \\-\\-version\nprint the version\n"
    for note in notes {
      page += ".SH \(roff(note.heading.uppercased()))\n" + note.lines.map { roff($0) + "\n.br\n" }.joined()
    }
    return page
  }

  /// Text without anything that roff would take for its own.
  private func roff(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }.joined(separator: "\n")
  }
}
