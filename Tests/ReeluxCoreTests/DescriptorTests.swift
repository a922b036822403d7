import Foundation
import ReeluxCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct DescriptorTests {
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
    let file = unsafe open(path, O_RDONLY)
    defer { close(file) }
    func read(at offset: Int? = nil) -> String {
      let (bytes, error) = Descriptor.read(4, from: file, at: offset)
      return error == 0 ? String(decoding: bytes, as: UTF8.self) : Descriptor.reason(error)
    }
    #expect(read() == "abcd")
    #expect(read(at: 1) == "bcde")
    #expect(read(at: 4) == "ef")
    #expect(read(at: 9) == "")
    #expect(read() == "ef")
    #expect(read() == "")
  }

  @Test func aReadThatFailsHasAReason() {
    let (bytes, error) = Descriptor.read(4, from: -1)
    #expect(bytes.isEmpty)
    #expect(Descriptor.reason(error) == "Bad file descriptor")
    #expect(Descriptor.read(4, from: -1, at: 0).error == EBADF)
  }
}
