import Foundation
import Testing

/// Whether system calls can be traced.
private let canTrace: Bool = {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/strace")
  process.arguments = ["-qq", "-o", "/dev/null", "true"]
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}()

/// Every acknowledged change is on the disk, as the system calls of the program show.
@Suite(.timeLimit(.minutes(15)), .enabled(if: canTrace, "strace cannot trace here.")) struct SyncTests {
  /// The calls that open, sync or rename a file, in their order.
  private func calls(_ program: MoviesProgram, _ command: String) async throws -> [Substring] {
    let result = try await program.shell(
      "strace -f -qq -s 300 -e trace=openat,fsync,rename,renameat,renameat2 -o calls \"$MOVIES\" \(command)")
    #expect(result.exitCode == 0, "\(result.errors)")
    return try program.folder.text("calls").split(separator: "\n")
  }

  /// The descriptor that a call has opened.
  private func number(_ call: Substring) -> Substring? {
    call.firstRange(of: ") = ").map { call[$0.upperBound...].prefix { $0.isNumber } }
  }

  @Test func aChangeOfFavouritesIsSyncedBeforeItIsRenamedAndItsFolderAfterwards() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("favorite", "add", "faust-1926")
    let calls = try await calls(program, "favorite add greed-1924")
    let rename = try #require(calls.firstIndex { $0.contains("rename") && $0.contains("favorites.json.reelux-tmp-") })
    let opened = try #require(calls[..<rename].lastIndex { $0.contains("favorites.json.reelux-tmp-") })
    let file = try #require(number(calls[opened]))
    #expect(calls[opened..<rename].contains { $0.contains("fsync(\(file))") }, "The file is not synced.")
    let folder = try #require(calls[rename...].firstIndex { $0.contains("O_DIRECTORY") })
    let directory = try #require(number(calls[folder]))
    #expect(calls[folder...].contains { $0.contains("fsync(\(directory))") }, "The folder is not synced.")
  }

  @Test func aRecordingIsSyncedWhenItIsClosed() async throws {
    let program = try MoviesProgram()
    let calls = try await calls(program, "list --record run.jsonl")
    let opened = try #require(calls.firstIndex { $0.contains("run.jsonl") })
    let file = try #require(number(calls[opened]))
    #expect(calls[opened...].contains { $0.contains("fsync(\(file))") }, "The recording is not synced.")
  }
}
