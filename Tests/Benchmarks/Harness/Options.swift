/// The options of the command line.
struct Options: Sendable {
  enum Side: String, Sendable {
    case both
    case store
    case baseline
  }

  var only: [String] = []
  var json = false
  var jsonFile: String?
  var checks = false
  var soak: Int?
  var repetitions = 7
  var actions: Int?
  var side = Side.both
  var warmsUp = true
  var help = false

  static let usage = """
    Benchmarks --only W1,W3 --json

    Measures the store beside hand-written baselines, in turns, and checks every final state.

      --only NAMES     by comma: W1 W2 W3-10 W3-100 W3-unchanged W4-1 W4-8 W4-64 W5 W6 W6-dedupe W7
                       to W12, W13-stored, W13-computed; W3 means all of W3;
                       and, only if named: L1-changes L1-timing L1-standard (cost of logging), memory (of a store),
                       rows and flood (a store on the main actor), latency (of single dispatches),
                       contention (8 dispatchers and 2 readers)
      --json           one object a line: name, ns, baseline, baselineNs, ratio, allocationsPerAction
      --json-file FILE writes the same to a file, beside the table
      --check          ends with 1 if a target is missed
      --soak N         only sends N actions to one store and shows the memory of the process meanwhile; on Linux only
      --reps N         repetitions, 1 or more (default 7); the figures are medians
      --actions N      actions a repetition, in place of each workload's own number
      --side SIDE      both (default), store or baseline: for profilers
      --no-warm-up     leaves out the first, unmeasured repetition, which also counts allocations
      --help           this text
    """

  /// Reads the arguments. Throws a message for the user.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--only": only = try Self.value(of: argument, &rest).split(separator: ",").map(String.init)
      case "--json": json = true
      case "--json-file": jsonFile = try Self.value(of: argument, &rest)
      case "--check": checks = true
      case "--soak": soak = try Self.number(of: argument, &rest)
      case "--reps": repetitions = try Self.number(of: argument, &rest)
      case "--actions": actions = try Self.number(of: argument, &rest)
      case "--side":
        guard let side = Side(rawValue: try Self.value(of: argument, &rest)) else {
          throw UsageError(description: "--side is both, store or baseline")
        }
        self.side = side
      case "--no-warm-up": warmsUp = false
      case "--help", "-h": help = true
      default: throw UsageError(description: "unknown argument '\(argument)'; see --help")
      }
    }
  }

  /// Whether a workload was requested.
  func isWanted(_ workload: String, isExtra: Bool = false) -> Bool {
    only.isEmpty ? !isExtra : only.contains(workload)
  }

  /// Replaces names of groups by the names of their workloads. Throws if a name is unknown.
  mutating func resolveNames(_ workloads: [String]) throws(UsageError) {
    var resolved: [String] = []
    for name in only {
      let meant = workloads.contains(name) ? [name] : workloads.filter { $0.hasPrefix(name + "-") }
      if meant.isEmpty { throw UsageError(description: "there is no workload '\(name)'; see --help") }
      resolved += meant
    }
    only = resolved
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
    return value
  }

  private static func number(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Int {
    guard let number = Int(try value(of: option, &rest)), number > 0 else {
      throw UsageError(description: "\(option) needs a number above 0")
    }
    return number
  }
}

/// An invalid command line.
struct UsageError: Error, CustomStringConvertible {
  var description: String
}
