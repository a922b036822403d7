import Foundation
import ReeluxCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct DescriptorTests {
  @Test func aCallThatASignalInterruptsIsMadeAgain() {
    var answers: [(result: Int, error: Int32)] = [(-1, EINTR), (-1, EINTR), (7, 0), (8, 0)]
    let result = Descriptor.retrying {
      let answer = answers.removeFirst()
      errno = answer.error
      return answer.result
    }
    #expect(result == 7)
    #expect(answers.count == 1)
  }

  @Test func anotherErrorIsReturnedAtOnce() {
    var calls = 0
    let result = Descriptor.retrying {
      calls += 1
      errno = EBADF
      return -1
    }
    #expect(result == -1)
    #expect(calls == 1)
  }

  @Test func readingGoesOnWhereItStoppedOrStartsAtAnOffset() throws {
    let path = NSTemporaryDirectory() + "descriptor-\(UUID().uuidString)"
    try Data("abcdef".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = open(path, O_RDONLY)
    defer { close(file) }
    func read(at offset: Int? = nil) -> String {
      var bytes = [UInt8](repeating: 0, count: 4)
      let count = bytes.withUnsafeMutableBytes { Descriptor.read(into: $0, from: file, at: offset) }
      return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
    #expect(read() == "abcd")
    #expect(read(at: 1) == "bcde")
    #expect(read() == "ef")
    #expect(read() == "")
  }
}
