/// The steps of storing, announced one by one before each is done, so that a
/// test can end the process, or fail, at any of them.
package struct StorageSteps: Sendable {
  /// One call to the system, or the moment after the last.
  package enum Step: String, CaseIterable, Codable, Sendable {
    case createFolder, lock, readFile, keepAside, removeLeftovers, createTemporary, writePart, syncTemporary, rename
    case syncFolder, unlock, acknowledge
  }

  /// How many bytes are written at once.
  package var part: Int

  /// Called before each step; an error fails the step.
  package var willDo: @Sendable (Step) throws -> Void

  package init(part: Int = 1 << 20, willDo: @escaping @Sendable (Step) throws -> Void) {
    self.part = part
    self.willDo = willDo
  }

  package static let unwatched = StorageSteps { _ in }
}
