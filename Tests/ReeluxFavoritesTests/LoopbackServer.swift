import Dispatch
import Foundation
import ReeluxCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A small HTTP server on 127.0.0.1. It accepts one request on each connection, and the test decides the response.
///
/// Its limits are 16 KB for a request and 64 connections. Each connection is closed after its response.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    var method: String
    var path: String
    var headers: [String: String]
  }

  enum Reply: Sendable {
    case status(Int, headers: [String: String] = [:], body: String = "")
    /// Close the connection without a response.
    case drop
    /// Close the connection in the middle of the response.
    case cut
    /// Keep the connection open without a response until the server ends.
    case silence
  }

  let url: URL
  private let listener: Listener
  private let queue = DispatchQueue(label: "loopback", attributes: .concurrent)
  private let silent = Silent()

  /// - Parameter reply: Called for each request on a queue of the server.
  init(reply: @escaping @Sendable (Request) -> Reply) throws {
    let (listener, port) = try Self.bound()
    guard listen(listener.descriptor, 64) == 0, let url = URL(string: "http://127.0.0.1:\(port)/") else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    self.url = url
    self.listener = listener
    // The loop retains the listener. The descriptor is therefore closed, and its number is reused, only after the loop
    // has ended.
    queue.async { [queue, silent] in
      for _ in 0..<64 {
        let connection = accept(listener.descriptor, nil, nil)
        if connection < 0 { return }
        queue.async { Self.serve(connection, reply, silent) }
      }
    }
  }

  /// The address of a port that refuses connections while `body` runs. The port is bound, so that no other server gets
  /// it, but it does not listen.
  static func withoutServer(_ body: (URL) async throws -> Void) async throws {
    let (listener, port) = try bound()
    defer { withExtendedLifetime(listener) {} }
    guard let url = URL(string: "http://127.0.0.1:\(port)/") else { throw POSIXError(.EADDRNOTAVAIL) }
    try await body(url)
  }

  deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

  /// A socket on a free port of 127.0.0.1. It is closed with the last reference.
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
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener.descriptor, address, length) == 0
          && getsockname(listener.descriptor, address, &length) == 0
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

  /// The connections without a response. They are closed when the server and its work have been released.
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
    _ = unsafe write(connection, bytes, bytes.count)
  }

  private static func request(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1024)
    while bytes.count < 16_384 {
      let count = unsafe read(connection, &part, part.count)
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
