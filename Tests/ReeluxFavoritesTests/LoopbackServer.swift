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
  private let listener: Listener
  private let queue = DispatchQueue(label: "loopback", attributes: .concurrent)
  private let silent = Silent()

  /// - Parameter reply: Called for each request, on a queue of the server.
  init(reply: @escaping @Sendable (Request) -> Reply) throws {
    let (listener, port) = try Self.bound()
    guard listen(listener.descriptor, 64) == 0, let url = URL(string: "http://127.0.0.1:\(port)/") else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    self.url = url
    self.listener = listener
    // The loop holds the listener. So the descriptor is closed, and its number is free for another server, only after the
    // loop has ended.
    queue.async { [queue, silent] in
      for _ in 0..<64 {
        let connection = accept(listener.descriptor, nil, nil)
        if connection < 0 { return }
        queue.async { Self.serve(connection, reply, silent) }
      }
    }
  }

  /// The address of a port that refuses connections while `body` runs: bound, so that no other server gets it, but not listening.
  static func withoutServer(_ body: (URL) async throws -> Void) async throws {
    let (listener, port) = try bound()
    defer { withExtendedLifetime(listener) {} }
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw POSIXError(.EADDRNOTAVAIL) }
    try await body(url)
  }

  deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

  /// A socket on a free port of 127.0.0.1. It is closed when the last reference is gone.
  private static func bound() throws -> (Listener, UInt16) {
    #if canImport(Darwin)
      let listener = Listener(socket(AF_INET, SOCK_STREAM, 0))
    #else
      let listener = Listener(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener.descriptor, address, length) == 0 && getsockname(listener.descriptor, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private final class Listener: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  /// The connections that get no answer. They are closed when the server and its work are gone.
  private final class Silent: Sendable {
    private let connections = Locked<[Int32]>([])
    func keep(_ connection: Int32) { connections.withLock { $0.append(connection) } }
    deinit { for connection in connections.withLock({ $0 }) { close(connection) } }
  }

  private static func serve(_ connection: Int32, _ reply: (Request) -> Reply, _ silent: Silent) {
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
