import ContentModel
import PropertyLists
import SystemC
import TestServers

@testable import TestCommands

/// A preview in a separate process.
struct RunningPreview {
  let address: String
  private let sandbox: Sandbox
  private let process: pid_t
  private let port: UInt16

  /// Starts the preview, through the program `shell` with the arguments `own` if it is set.
  init(
    _ sandbox: Sandbox, _ flags: [String] = [], through shell: String? = nil, _ own: [String] = []
  ) throws {
    self.sandbox = sandbox
    let (output, errors) = ("\(sandbox.root)/output", "\(sandbox.root)/errors")
    let words = own + [Sandbox.binary, "preview", "--port", "0"] + flags
    process = try sandbox.start(
      shell ?? words[0], shell == nil ? Array(words.dropFirst()) : words, output: output,
      errors: errors)
    for _ in 0..<1_000 where sandbox.read("output")?.last != UInt8(ascii: "\n") { usleep(10_000) }
    address = String(decoding: sandbox.read("output") ?? [], as: UTF8.self).filter { $0 != "\n" }
    guard let number = address.split(separator: ":").last?.dropLast(), let port = UInt16(number)
    else {
      kill(process, SIGKILL)
      throw Problem("there is no address: '\(address)'")
    }
    self.port = port
  }

  var output: String { String(decoding: sandbox.read("output") ?? [], as: UTF8.self) }
  var errors: String { String(decoding: sandbox.read("errors") ?? [], as: UTF8.self) }

  /// Returns `true` once the errors contain a text; waits for 10 seconds at most, because the page
  /// may be notified before the error is printed.
  func reports(_ text: String) -> Bool {
    for _ in 0..<500 where !errors.contains(text) { usleep(20_000) }
    return errors.contains(text)
  }

  func get(_ path: String) throws -> String {
    let events = try EventReader(port, path, "Connection: close\r\n")
    defer { events.close() }
    return events.readAll()
  }

  /// Returns the body of an answer.
  func body(_ path: String) throws -> [UInt8] {
    let socket = try Socket.connected(to: port)
    defer { socket.close() }
    socket.send(
      Array("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8))
    var all: [UInt8] = []
    while case let bytes = socket.receive(), !bytes.isEmpty { all += bytes }
    guard let end = all.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
    return Array(all[end.upperBound...])
  }

  func json(_ path: String) throws -> Value {
    try PropertyList.decode(try body(path), as: .json).value
  }

  func events() throws -> EventReader { try EventReader(port, "/api/events", "") }

  func end(_ signal: Int32) -> Int32 {
    kill(process, signal)
    return Sandbox.wait(for: process)
  }
}

/// An answer that is read while it arrives.
final class EventReader {
  private let socket: Socket
  private var text = ""

  init(_ port: UInt16, _ path: String, _ fields: String) throws {
    socket = try Socket.connected(to: port)
    // A missing event must not block a test forever.
    var time = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    socket.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\(fields)\r\n".utf8))
  }

  /// Waits for a successful or failed build.
  ///
  /// Returns `false` if the server ends first.
  func next(isGood: Bool) -> Bool { next("\"ok\":\(isGood)") }

  /// Waits for an event that contains a text.
  ///
  /// Returns `false` if the server ends first.
  func next(_ meant: String) -> Bool {
    while true {
      while let end = text.firstRange(of: "\n\n") {
        let event = text[..<end.lowerBound]
        let isMeant = event.contains(meant)
        text = String(text[end.upperBound...])
        if isMeant { return true }
      }
      let bytes = socket.receive()
      if bytes.isEmpty { return false }
      text += String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns the rest of the answer.
  func readAll() -> String {
    while case let bytes = socket.receive(), !bytes.isEmpty {
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  func close() { socket.close() }
}
