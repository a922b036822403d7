import MoviesApp

extension FuzzFormat {
  /// Command lines, with one word per line.
  static let commands = FuzzFormat(
    name: "commands",
    generate: { random in Array(CommandMaker.words(&random).joined(separator: "\n").utf8) },
    dictionary: CommandMaker.dictionary + ["\n", "\u{0}"],
    damage: { bytes, random in
      let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      return Array(CommandMaker.damaged(words, &random).joined(separator: "\n").utf8)
    },
    check: { bytes, isValid in
      let text = CommandMaker.harmless(String(decoding: bytes, as: UTF8.self))
      let words = text.split(separator: "\n").map(String.init)
      FuzzSandbox.shared.reset()
      let result = await FuzzSandbox.shared.run(words)
      if isValid, result.exitCode == .usage { return .wrong("a valid command line is refused: \(result.errors)") }
      return FuzzSandbox.shared.outcome(of: result, for: text)
    })

  /// Scripts, as `run` reads them.
  static let scripts = FuzzFormat(
    name: "scripts",
    generate: { random in
      let lines = (0...random.below(4)).map { _ in
        switch random.below(8) {
        case 0: "expect " + random.pick(["exit 0", "exit 0", "exit 1", "Caligari", "'a b'", "error"])
        case 1: "# a comment"
        default:
          CommandMaker.words(&random).map { random.once(in: 4) || $0.contains(" ") ? "'\($0)'" : $0 }
            .joined(separator: " ")
        }
      }
      return Array((lines.joined(separator: random.pick(["\n", "\r\n"])) + "\n").utf8)
    },
    dictionary: CommandMaker.dictionary + [
      "\n", "\r", "'", "\"", "\\", "#", "expect ", "expect exit ", "run tour.movies",
    ],
    damage: { bytes, random in
      if random.once(in: 4) { return nil }
      var lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
      let place = random.below(lines.count)
      let words = CommandMaker.damaged(lines[place].split(separator: " ").map(String.init), &random)
      lines[place] = words.joined(separator: " ")
      return Array((lines.joined(separator: "\n") + "\n").utf8)
    },
    check: { bytes, _ in
      let text = CommandMaker.harmless(String(decoding: bytes, as: UTF8.self))
      // A script that is not UTF-8 is rejected before it runs.
      FuzzSandbox.shared.reset([
        "fuzz.movies": String(validating: bytes, as: UTF8.self) == nil ? bytes : Array(text.utf8)
      ])
      let result = await FuzzSandbox.shared.run(["run", "fuzz.movies"], script: text)
      return FuzzSandbox.shared.outcome(of: result, for: text)
    })
}
