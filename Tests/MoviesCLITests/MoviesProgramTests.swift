import Foundation
import Testing

#if os(Linux)
  @Suite(.timeLimit(.minutes(15))) struct MoviesProgramTests {
    /// Hundreds of tests run at the same time, and a process has a limit of open files.
    @Test func theFilesOfAProgramThatHasEndedAreClosed() async throws {
      let program = try MoviesProgram()
      #expect(try await program.run("list").exitCode == 0)
      let folder = program.folder.url.resolvingSymlinksInPath().path
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(!open.isEmpty)
      #expect(open.filter { $0.hasPrefix(folder) } == [])
    }
  }
#endif
