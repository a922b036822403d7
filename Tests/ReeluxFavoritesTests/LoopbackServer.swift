import Dispatch
import Foundation
import ReeluxCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A small HTTP server on 127.0.0.1: it takes one request a connection, and the test says what becomes of it.
///
/// Bounded: requests of at most 16 KB, at most 64 connections, each closed after its answer.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    var method: String
    var path: String
    var headers: [String: String]
  }

  enum Reply: Sendable {
    case status(Int, headers: [String: String] = [:], body: String = "")
    /// Close the connection without a word.
    case drop
    /// Close it in the middle of the answer.
    case cut
    /// Keep it open without an answer, until the server goes.
    case silence
  }

  let url: URL
  private let listener: Int32
  private let queue = DispatchQueue(label: "loopback", attributes: .concurrent)
  private let silent = Locked<[Int32]>([])

  /// - Parameter reply: Called for each request, on a queue of the server.
  init(reply: @escaping @Sendable (Request) -> Reply) throws {
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    guard isListening, let url = URL(string: "http://127.0.0.1:\(port)/") else {
      close(listener)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    self.url = url
    let (queue, silent) = (queue, Box { [weak self] in self?.keepSilent($0) })
    queue.async {
      for _ in 0..<64 {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        queue.async { Self.serve(connection, reply, silent) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in silent.withLock({ $0 }) { close(connection) }
  }

  private struct Box: Sendable {
    let keep: @Sendable (Int32) -> Void
    init(_ keep: @escaping @Sendable (Int32) -> Void) { self.keep = keep }
  }

  private func keepSilent(_ connection: Int32) {
    silent.withLock { $0.append(connection) }
  }

  private static func serve(_ connection: Int32, _ reply: (Request) -> Reply, _ silent: Box) {
    guard let request = request(from: connection) else {
      close(connection)
      return
    }
    switch reply(request) {
    case .status(let status, let headers, let body):
      let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
      send(
        "HTTP/1.1 \(status) Status\r\n\(lines)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)",
        to: connection)
      close(connection)
    case .drop: close(connection)
    case .cut:
      send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[", to: connection)
      close(connection)
    case .silence: silent.keep(connection)
    }
  }

  private static func send(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    _ = write(connection, bytes, bytes.count)
  }

  private static func request(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1024)
    while bytes.count < 16_384 {
      let count = read(connection, &part, part.count)
      if count <= 0 { return nil }
      bytes += part[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
      let words = lines[0].split(separator: " ")
      guard words.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
      return Request(method: String(words[0]), path: String(words[1]), headers: headers)
    }
    return nil
  }
}
