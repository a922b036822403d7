// Writes to Apple's unified logging, or to standard error on other platforms.

import ReeluxCore
import ReeluxLogger

#if canImport(os)
  import os

  let system = os.Logger(subsystem: "org.example.movies", category: "actions")
  let destination = LogDestination.text(.compact) { line in
    // Redact before: what is marked as public here is stored as it is.
    system.info("\(line, privacy: .public)")
  }
#else
  let destination = LogDestination.standardError(.compact)
#endif

let store = Store(
  initialState: 0,
  feature: Feature<Int, Int>(reducer: Reducer { amount, sum in sum += amount }) <> .logger(to: destination))
store.dispatch(41)
store.dispatch(1)
