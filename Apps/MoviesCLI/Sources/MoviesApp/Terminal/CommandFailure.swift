package import ReeluxLocation

/// Why a command could not be done: one message for people and an exit code.
package struct CommandFailure: Error, Hashable, Sendable {
  /// What failed, why, and what to try.
  package let message: String

  /// How the program ends.
  package let exitCode: ExitCode

  /// Creates a failure.
  package init(_ message: String, _ exitCode: ExitCode) {
    self.message = message
    self.exitCode = exitCode
  }

  /// The failure that a catalogue could not be read.
  package init(_ error: CatalogError) {
    let exitCode: ExitCode =
      switch error.kind {
      case .missing: .missingInput
      case .unreadable: .inputOutput
      case .malformed: .badData
      }
    self.init(error.description, exitCode)
  }

  /// The failure that a track could not be read.
  package init(_ error: ReadingError) {
    let exitCode: ExitCode =
      switch error.kind {
      case .missing, .unreadable: .missingInput
      case .malformed: .badData
      }
    self.init(error.description, exitCode)
  }
}
