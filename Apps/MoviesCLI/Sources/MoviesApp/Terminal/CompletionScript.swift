extension CommandLineDescription {
  /// The script that teaches a shell the commands and options.
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: "#compdef \(program)\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletions
    case .fish: fishCompletions
    }
  }

  /// A case for each sequence of words: what may come next.
  private var bashCompletions: String {
    var cases = commands.map { command in
      "    '\(command.name)'*) words='\(names(of: command).joined(separator: " "))' ;;"
    }
    for word in firstWords where command(named: word) == nil {
      let seconds = group(word).compactMap { $0.words.dropFirst().first }
      cases.append("    '\(word)'*) words='\(seconds.joined(separator: " "))' ;;")
    }
    let values = allOptions.filter { !$0.choices.isEmpty }.map {
      "    \($0.name)) words='\($0.choices.joined(separator: " "))' ;;"
    }
    let files = allOptions.filter { $0.choices.isEmpty && $0.value != nil }.map(\.name).joined(separator: "|")
    return """
      _\(program)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} typed= words= word
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || typed+="${typed:+ }$word"; done
        case $previous in
      \(values.joined(separator: "\n"))
          \(files)) COMPREPLY=($(compgen -f -- "$current")); return ;;
          *) case $typed in
      \(cases.joined(separator: "\n"))
          *) words='\((firstWords + names(of: nil)).joined(separator: " "))' ;;
          esac ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
      }
      complete -F _\(program) \(program)

      """
  }

  private var fishCompletions: String {
    var lines: [String] = []
    for word in firstWords {
      let summary = command(named: word)?.summary ?? group(word).map(\.summary).joined(separator: " ")
      lines.append("complete -c \(program) -n __fish_use_subcommand -f -a \(word) -d '\(quoted(summary))'")
      for command in group(word) where command.words.count > 1 {
        let last = command.words.last ?? ""
        lines.append(
          "complete -c \(program) -n '__fish_seen_subcommand_from \(word)' -f -a \(last) -d '\(quoted(command.summary))'"
        )
      }
    }
    for option in globalOptions { lines.append(fishOption(option, condition: "")) }
    for word in firstWords {
      var seen: Set<String> = []
      for option in group(word).flatMap(\.options) where seen.insert(option.name).inserted {
        lines.append(fishOption(option, condition: " -n '__fish_seen_subcommand_from \(word)'"))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishOption(_ option: OptionDescription, condition: String) -> String {
    let name = option.name.drop { $0 == "-" }
    let value =
      option.value == nil ? "" : option.choices.isEmpty ? " -r" : " -x -a '\(option.choices.joined(separator: " "))'"
    return "complete -c \(program)\(condition) -l \(name)\(value) -d '\(quoted(option.summary))'"
  }

  private var allOptions: [OptionDescription] {
    var seen: Set<String> = []
    return (globalOptions + commands.flatMap(\.options)).filter { seen.insert($0.name).inserted }
  }

  private func names(of command: CommandDescription?) -> [String] {
    ((command?.options ?? []) + globalOptions).map(\.name) + ["--help"]
  }

  private func quoted(_ text: String) -> String { text.replacing("'", with: "\\'") }
}

/// The shells that completions are written for.
package enum Shell: String, CaseIterable, Hashable, Sendable {
  /// GNU Bash.
  case bash
  /// Z shell.
  case zsh
  /// Fish.
  case fish
}
