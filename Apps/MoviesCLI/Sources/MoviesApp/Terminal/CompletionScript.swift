/// The shells that completions are written for.
package enum Shell: String, CaseIterable, Hashable, Sendable {
  /// GNU Bash.
  case bash
  /// Z shell.
  case zsh
  /// Fish.
  case fish
}

extension CommandLineDescription {
  /// The script that teaches a shell the commands, the options and what their values may be.
  ///
  /// Ids and genres are asked from the program when they are completed, with the catalogue that the line names.
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: "#compdef \(program)\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletions
    case .fish: fishCompletions
    }
  }

  /// A case for each sequence of words: what may come next.
  private var bashCompletions: String {
    let valued = allOptions.filter { $0.value != nil }
    var cases = commands.map { command in
      "      '\(command.name)'*) options='\(lines(names(of: command)))' \(bash(command.argument?.kind ?? .text)) ;;"
    }
    for word in firstWords where command(named: word) == nil {
      cases.append("      '\(word)'*) words='\(lines(group(word).compactMap { $0.words.dropFirst().first }))' ;;")
    }
    let values = valued.map { option in
      "      \(option.name)) \(bash(option.choices.isEmpty ? option.kind : .choice(option.choices))) ;;"
    }
    return """
      _\(program)() {
        local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} typed= options= words= kind= skip= word
        local catalog=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          if [[ $skip == --catalog ]]; then catalog=(--catalog "$word"); fi
          if [[ -n $skip ]]; then skip=; continue; fi
          case $word in
            \(valued.map(\.name).joined(separator: "|"))) skip=$word ;;
            -*) ;;
            *) typed+="${typed:+ }$word" ;;
          esac
        done
        if [[ -n $skip ]]; then
          case $skip in
      \(values.joined(separator: "\n"))
          esac
        else
          case $typed in
      \(cases.joined(separator: "\n"))
            *) words='\(lines(firstWords))' options='\(lines(names(of: nil)))' ;;
          esac
          if [[ $current == -* ]]; then words=$options kind=; fi
        fi
        case $kind in
          file) COMPREPLY=($(compgen -f -- "$current")); return ;;
          folder) COMPREPLY=($(compgen -d -- "$current")); return ;;
          movie) words=$("${COMP_WORDS[0]}" --quiet "${catalog[@]}" list --format tsv 2>/dev/null | tail -n +2 | cut -f 1) ;;
          genre) words=$("${COMP_WORDS[0]}" --quiet "${catalog[@]}" genres --format tsv 2>/dev/null | tail -n +2 | cut -f 1) ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      }
      complete -F _\(program) \(program)

      """
  }

  /// The assignments that say what may stand in a place.
  private func bash(_ kind: ValueKind) -> String {
    switch kind {
    case .text: "kind=text"
    case .file: "kind=file"
    case .folder: "kind=folder"
    case .movie: "kind=movie"
    case .genre: "kind=genre"
    case .choice(let words): "words='\(lines(words))'"
    }
  }

  private func lines(_ words: [String]) -> String { words.joined(separator: "\n") }

  private var fishCompletions: String {
    var lines: [String] = []
    for word in firstWords {
      let summary = command(named: word)?.summary ?? group(word).map(\.summary).joined(separator: " ")
      lines.append("complete -c \(program) -n __fish_use_subcommand -f -a \(word) -d '\(quoted(summary))'")
      for command in group(word) {
        let last = command.words.last ?? ""
        if command.words.count > 1 {
          lines.append(
            "complete -c \(program) -n '__fish_seen_subcommand_from \(word)' -f -a \(last) -d '\(quoted(command.summary))'"
          )
        }
        if let kind = command.argument?.kind {
          lines.append("complete -c \(program) -n '__fish_seen_subcommand_from \(last)'\(fish(kind, isOption: false))")
        }
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
    let kind = option.choices.isEmpty ? option.kind : .choice(option.choices)
    let value = option.value == nil ? "" : fish(kind, isOption: true)
    return "complete -c \(program)\(condition) -l \(name)\(value) -d '\(quoted(option.summary))'"
  }

  /// What fish offers in a place.
  private func fish(_ kind: ValueKind, isOption: Bool) -> String {
    let exclusive = isOption ? " -x" : " -f"
    return switch kind {
    case .text: exclusive
    case .file: isOption ? " -r -F" : " -F"
    case .folder: exclusive + " -a '(__fish_complete_directories)'"
    case .movie: exclusive + " -a '(\(program) --quiet list --format tsv 2>/dev/null | tail -n +2 | cut -f 1,2)'"
    case .genre: exclusive + " -a '(\(program) --quiet genres --format tsv 2>/dev/null | tail -n +2 | cut -f 1)'"
    case .choice(let words): exclusive + " -a '\(words.joined(separator: " "))'"
    }
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
