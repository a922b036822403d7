/// The shells that have completions.
package enum Shell: String, CaseIterable, Hashable, Sendable {
  /// GNU Bash.
  case bash
  /// Z shell.
  case zsh
  /// Fish.
  case fish
}

extension CommandLineDescription {
  /// The completion script of a shell. It completes commands, options and their values.
  ///
  /// During completion the script calls the program for ids and genres, with the catalogue of the command line. This
  /// call gets an empty standard input: a catalogue from there cannot be read twice, and the terminal has the user's
  /// keys.
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    // Zsh runs the Bash script. In Zsh, `-o filenames` must be an option of `complete`, because the function cannot set
    // it later.
    case .zsh:
      "#compdef \(program)\nautoload -U +X bashcompinit && bashcompinit\n"
        + bashCompletions.replacing("complete -F", with: "complete -o filenames -F")
    case .fish: fishCompletions
    }
  }

  /// The Bash script. It lists the words that may follow each sequence of words.
  private var bashCompletions: String {
    let valued = allOptions.filter { $0.value != nil }
    var cases = commands.map { command in
      "      '\(command.name)'*) options='\(lines(names(of: command)))' \(bash(command.argument?.kind ?? .text)) ;;"
    }
    for word in firstWords where command(named: word) == nil {
      let seconds = lines(group(word).compactMap { $0.words.dropFirst().first })
      cases.append("      '\(word)'*|'help \(word)') words='\(seconds)' ;;")
    }
    cases.append("      'help '*) ;;")
    let values = valued.map { option in
      "      \(option.name)) \(bash(option.choices.isEmpty ? option.kind : .choice(option.choices))) ;;"
    }
    return """
      # Prints a word of the line as the shell would pass it to the program. No variable is expanded, and no command runs.
      _\(program)_unquoted() {
        local rest=$1 text= quote= letter
        if [[ $rest == '~/'* ]]; then text=$HOME rest=${rest:1}; fi
        while [[ -n $rest ]]; do
          letter=${rest:0:1} rest=${rest:1}
          if [[ $letter == '\\' && $quote != "'" ]]; then
            text+=${rest:0:1} rest=${rest:1}
          elif [[ $letter == "$quote" ]]; then
            quote=
          elif [[ -z $quote && ($letter == "'" || $letter == '"') ]]; then
            quote=$letter
          else
            text+=$letter
          fi
        done
        printf '%s' "$text"
      }
      _\(program)() {
        local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} colons= typed= options= words= kind= skip= word prefix= place
        local catalog=()
        for ((place = 1; place < COMP_CWORD; place++)); do
          word=${COMP_WORDS[place]}
          # Bash gives '--name=value' as three words.
          if [[ $word == = ]]; then continue; fi
          if [[ $skip == --catalog ]]; then catalog=(--catalog "$(_\(program)_unquoted "$word")"); fi
          if [[ -n $skip ]]; then skip=; continue; fi
          case $word in
            --catalog=*) catalog=(--catalog "$(_\(program)_unquoted "${word#*=}")") ;;
            \(valued.map(\.name).joined(separator: "|"))) skip=$word ;;
            -*) ;;
            *) typed+="${typed:+ }$word" ;;
          esac
        done
        if [[ $current == = ]]; then current=; fi
        # Bash also separates words at colons, and replaces only the text after the last one.
        if [[ $current == : || ${COMP_WORDS[COMP_CWORD-1]-} == : ]]; then
          current=${COMP_LINE:0:COMP_POINT} current=${current##*[ =]} colons=${current%"${current##*:}"}
        fi
        if [[ $current == --*=* ]]; then skip=${current%%=*} prefix=${current%%=*}= current=${current#*=}; fi
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
          file|folder)
            compopt -o filenames 2>/dev/null
            word=-f
            if [[ $kind == folder ]]; then word=-d; fi
            words=$(compgen $word -- "$current") ;;
          movie|genre)
            word=list
            if [[ $kind == genre ]]; then word=genres; fi
            words=$("$(_\(program)_unquoted "${COMP_WORDS[0]}")" \(quietly) "${catalog[@]}" $word --format tsv \
              </dev/null 2>/dev/null | tail -n +2 | cut -f 1) ;;
        esac
        # The words may come from a file, so the shell must not expand them.
        COMPREPLY=()
        while read -r word; do
          if [[ -z $word ]]; then continue; fi
          if [[ $kind != file && $kind != folder ]]; then
            if [[ $word != "$current"* ]]; then continue; fi
            # Zsh adds the backslashes itself.
            if [[ -n ${BASH_VERSION-} ]]; then printf -v word %q "$word"; fi
          fi
          word=$prefix$word
          COMPREPLY+=("${word#"$colons"}")
        done <<< "$words"
      }
      complete -F _\(program) \(program)

      """
  }

  /// The options of a call during completion, for which the user's settings of the log and of the server do not count.
  private var quietly: String { "--quiet --log off --latency 0s --failure-rate 0" }

  /// The assignments for the values of a kind.
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

  /// Functions that read the line, and one `complete` for each word, argument and option.
  private var fishCompletions: String {
    let valued = allOptions.filter { $0.value != nil }.map(\.name).joined(separator: " ")
    var lines = [
      """
      # The words of the line that are no options and no values of options.
      function __\(program)_typed
        set -l typed
        set -l skip
        for word in (commandline -opc)[2..-1]
          if test -n "$skip"
            set skip
            continue
          end
          switch $word
            case \(valued)
              set skip $word
            case '-*'
            case '*'
              set -a typed $word
          end
        end
        string join ' ' -- $typed
      end
      # Whether they are the words of one of the arguments.
      function __\(program)_typed_is
        set -l typed (__\(program)_typed)
        contains -- "$typed" $argv
      end
      # Whether they name this command.
      function __\(program)_runs
        set -l typed (__\(program)_typed)
        test "$typed" = "$argv[1]"; or string match -q -- "$argv[1] *" "$typed"
      end
      # The words of the line with the home folder in the place of ~, which fish does not replace here.
      function __\(program)_expanded
        for word in (commandline -opc)
          if string match -q -- '~/*' $word
            set word $HOME(string sub -s 2 -- $word)
          end
          string join '' -- $word
        end
      end
      # What the program lists, with the catalogue that the line names.
      function __\(program)_lists
        set -l words (__\(program)_expanded)
        set -l catalog
        for place in (seq 2 (count $words))
          switch $words[$place]
            case --catalog
              if test $place -lt (count $words)
                set catalog --catalog $words[(math $place + 1)]
              end
            case '--catalog=*'
              set catalog --catalog (string replace -- --catalog= '' $words[$place])
          end
        end
        $words[1] \(quietly) $catalog $argv --format tsv </dev/null 2>/dev/null | tail -n +2
      end
      complete -c \(program) -f
      """
    ]
    for word in firstWords {
      let summary = command(named: word)?.summary ?? group(word).map(\.summary).joined(separator: " ")
      lines.append(fish("__\(program)_typed_is '' help", "-a \(word) -d '\(quoted(summary))'"))
    }
    for command in commands {
      if let last = command.words.last, let first = command.words.first, command.words.count > 1 {
        lines.append(
          fish("__\(program)_typed_is \(first) 'help \(first)'", "-a \(last) -d '\(quoted(command.summary))'"))
      }
      let isRun = "__\(program)_runs '\(command.name)'"
      if let kind = command.argument?.kind, kind != .text { lines.append(fish(isRun, fish(kind, isOption: false))) }
      for option in command.options { lines.append(fish(isRun, fish(option))) }
    }
    for option in globalOptions {
      let refusing = commands.filter { $0.refused.contains(option.name) }
      let isTaken = refusing.map { "not __\(program)_runs '\($0.name)'" }.joined(separator: "; and ")
      lines.append(refusing.isEmpty ? "complete -c \(program) \(fish(option))" : fish(isTaken, fish(option)))
    }
    lines.append("complete -c \(program) -s h -l help -d 'print help'")
    lines.append(fish("__\(program)_typed_is ''", "-l version -d 'print the version'"))
    return lines.joined(separator: "\n") + "\n"
  }

  private func fish(_ condition: String, _ rest: String) -> String {
    "complete -c \(program) -n '\(quoted(condition))' \(rest)"
  }

  private func fish(_ option: OptionDescription) -> String {
    let kind = option.choices.isEmpty ? option.kind : .choice(option.choices)
    let value = option.value == nil ? "" : " " + fish(kind, isOption: true)
    return "-l \(option.name.drop { $0 == "-" })\(value) -d '\(quoted(option.summary))'"
  }

  /// The words that fish offers for a kind of value.
  private func fish(_ kind: ValueKind, isOption: Bool) -> String {
    let exclusive = isOption ? "-x" : "-f"
    return switch kind {
    case .text: exclusive
    case .file: isOption ? "-r -F" : "-F"
    case .folder: exclusive + " -a '(__fish_complete_directories)'"
    case .movie: exclusive + " -a '(__\(program)_lists list | cut -f 1,2)'"
    case .genre: exclusive + " -a '(__\(program)_lists genres | cut -f 1)'"
    case .choice(let words): exclusive + " -a '\(words.joined(separator: " "))'"
    }
  }

  private var allOptions: [OptionDescription] {
    var seen: Set<String> = []
    return (globalOptions + commands.flatMap(\.options)).filter { seen.insert($0.name).inserted }
  }

  private func names(of command: CommandDescription?) -> [String] {
    guard let command else { return globalOptions.map(\.name) + ["--help", "--version"] }
    return (command.options + globalOptions(of: command)).map(\.name) + ["--help"]
  }

  private func quoted(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") }
}
