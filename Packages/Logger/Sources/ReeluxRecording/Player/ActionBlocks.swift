import ReeluxCore
internal import Dispatch

/// The actions of a recording, read in blocks. While one block is played, other threads read the next one.
struct ActionBlocks<Action: Sendable, State: Sendable>: Sendable {
  private static var length: Int { 500 }

  private let recording: Recording<Action, State>
  private var block: ArraySlice<RecordedAction<Action>> = []
  private var next: BlockAhead<Action>?

  init(_ recording: Recording<Action, State>) { self.recording = recording }

  /// Returns the action with this number, from 1 to the number of actions.
  mutating func action(_ number: Int) throws -> RecordedAction<Action> {
    var place = number - (block.first?.number ?? 0)
    if place < 0 || place >= block.count {
      // If this block follows the previous one, the next one will probably be read too.
      let isConsecutive = block.last.map { $0.number == number - 1 } ?? false
      block = try next.flatMap { $0.first == number ? try $0.wait() : nil } ?? read(from: number)
      next = isConsecutive ? ahead(from: number + Self.length) : nil
      place = 0
    }
    guard place < block.count else { throw changed(number) }
    return block[block.startIndex + place]
  }

  private func read(from first: Int) throws -> ArraySlice<RecordedAction<Action>> {
    try recording.actions(first...(first + Self.length - 1))[...]
  }

  private func ahead(from first: Int) -> BlockAhead<Action>? {
    guard recording.isInFile, first <= recording.count else { return nil }
    return BlockAhead(first) { [self] in try read(from: first) }
  }

  private func changed(_ number: Int) -> RecordingError {
    .system(
      path: recording.name, reason: "action \(number) is missing; another program has probably changed the file")
  }
}

/// A block that another thread is reading.
private final class BlockAhead<Action: Sendable>: Sendable {
  let first: Int
  private let group = DispatchGroup()
  private let result = Locked<Result<ArraySlice<RecordedAction<Action>>, any Error>?>(nil)

  init(_ first: Int, _ read: @escaping @Sendable () throws -> ArraySlice<RecordedAction<Action>>) {
    self.first = first
    DispatchQueue.global().async(group: group) { [self] in
      let read = Result(catching: read)
      result.withLock { $0 = read }
    }
  }

  func wait() throws -> ArraySlice<RecordedAction<Action>>? {
    group.wait()
    return try result.withLock { $0 }?.get()
  }
}
