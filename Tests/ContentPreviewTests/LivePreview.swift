import ContentCompiler
import ContentModel
import ContentPreviewServer
import ContentSource
import Diagnostics
import Dispatch
import SystemC
import TestServers
import Testing

@testable import ContentPreview

/// A preview of a temporary folder on a real socket.
///
/// A class, since it owns the folder and the preview.
final class LivePreview: Sendable {
  let folder: ScratchFolder
  let preview: Preview
  let lines: AsyncStream<Preview.LogEntry>
  let remarks: AsyncStream<String>
  private let slot: PreviewSlot

  /// The digest in the object's name; its bytes need not match.
  static let object = String(repeating: "3f", count: 32)
  static let objectPath = "/objects/3f/\(object).plist"
  static let plain = "bytes of an object, bytes of an object"
  static let packed = "packed"

  /// Serves a small build; each attempt to build calls `build`.
  init(
    limits: ServerLimits = ServerLimits(), endpoint: Preview.Endpoint? = nil,
    channels: [ChannelSource] = [],
    build: (@Sendable (ScratchFolder) -> BuildAttempt)? = nil,
    persistAndPrepare: @escaping @Sendable () -> PersistResult = { .done },
    nextChange: @escaping @Sendable () -> Instant? = { nil },
    project: Project? = nil, translations: PreviewTranslations? = nil,
    editor: EditorLink? = nil,
    networkAddresses: [String] = [],
    texts: [String: String] = SmallContent.texts,
    now: @escaping @Sendable () -> Instant = { Instant(secondsSince1970: 1_000_000_000) }
  ) async throws {
    let slot = await PreviewSlot.take()
    let folder = try ScratchFolder()
    try Self.write(folder)
    let source = PreviewSource(
      content: folder.path("content"), out: folder.path("out"),
      build: { _ in
        build?(folder) ?? .finished(facts: ["entries": 1], diagnostics: [], source: { _ in nil })
      },
      persistAndPrepare: persistAndPrepare, nextChange: nextChange,
      read: { ContentReader.read(ContentFolder(texts: texts)).output },
      channels: channels, project: { project }, translations: translations, editor: editor,
      networkAddresses: networkAddresses, now: now)
    var endpoint = endpoint ?? Preview.Endpoint()
    endpoint.port = 0
    let (lines, log) = AsyncStream.makeStream(of: Preview.LogEntry.self)
    let (remarks, remark) = AsyncStream.makeStream(of: String.self)
    (self.slot, self.folder, self.lines, self.remarks) = (slot, folder, lines, remarks)
    preview = try await Preview.start(source, at: endpoint, by: PreviewServer.self, limits: limits)
    {
      text in
      remark.yield(text)
    } log: {
      log.yield($0)
    }
  }

  private static func write(_ folder: ScratchFolder) throws {
    for name in [
      "content", "out", "out/preview", "out/objects", "out/objects/3f", "out/maintenance",
      "out/.hidden",
    ] {
      folder.makeFolder(name)
    }
    try folder.write("out/preview/config.plist", "{ app = shop; }")
    try folder.write("out\(objectPath)", plain)
    try folder.write("out\(objectPath).gz", packed)
    try folder.write("out/objects/3f/\(object).png", "a picture")
    try folder.write("out/.hidden/file", "secret")
    try folder.write("out/build.plist", "secret")
    try folder.write("secret", "secret")
  }

  /// Sends a request with the right host and returns the response.
  func get(_ path: String, _ fields: [String] = [], method: String = "GET") async throws
    -> RawResponse
  {
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: localhost:\(preview.port)", "Connection: close"]
      + fields
    return try await send(lines.joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// Sends a request with another host.
  func get(_ path: String, host: String, fields: [String]) async throws -> RawResponse {
    let lines = ["GET \(path) HTTP/1.1", "Host: \(host)", "Connection: close"] + fields
    return try await send(lines.joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// Sends text and reads until the server closes the connection.
  func send(_ text: String) async throws -> RawResponse { try await send(Array(text.utf8)) }

  /// Sends bytes and reads until the server closes the connection.
  func send(_ bytes: [UInt8]) async throws -> RawResponse {
    let port = UInt16(preview.port)
    return try await Self.blocking {
      let socket = try Socket.connected(to: port)
      defer { socket.close() }
      socket.send(bytes)
      return try RawResponse(socket.receiveAll())
    }
  }

  /// Runs blocking work on a thread of its own, since the server needs the threads of tasks.
  static func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result)
    async throws -> Result
  {
    try await withCheckedThrowingContinuation { done in
      DispatchQueue(label: "client").async { done.resume(with: Swift.Result { try work() }) }
    }
  }
}

extension Socket {
  /// Reads until the other side closes the connection.
  func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    while case let bytes = receive(), !bytes.isEmpty { all += bytes }
    return all
  }

  /// Reads until a text is received or the connection is closed.
  func receive(until text: String) -> String {
    var all: [UInt8] = []
    while !String(decoding: all, as: UTF8.self).contains(text) {
      let bytes = receive()
      if bytes.isEmpty { break }
      all += bytes
    }
    return String(decoding: all, as: UTF8.self)
  }
}

/// A response as received.
struct RawResponse: Sendable {
  let status: Int
  let fields: [String: String]
  let body: String

  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else {
      throw Problem("no response: '\(text)'")
    }
    self.status = status
    body = parts.count == 2 ? String(parts[1]) : ""
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      fields[sides[0].lowercased()] = sides.count == 2 ? String(sides[1].drop { $0 == " " }) : ""
    }
    self.fields = fields
  }

  subscript(name: String) -> String? { fields[name] }
}

/// A small content folder in memory.
enum SmallContent {
  /// Returns a source without files; `onRead` is called before each read.
  static func source(_ onRead: @escaping @Sendable () -> Void = {}) -> PreviewSource {
    PreviewSource(
      content: "content", out: "out",
      build: { _ in .finished(facts: [:], diagnostics: [], source: { _ in nil }) },
      read: {
        onRead()
        return ContentReader.read(ContentFolder(texts: texts)).output
      },
      now: { Instant(secondsSince1970: 1_000_000_000) })
  }

  /// Returns the project of a `content.yaml` with more lines.
  static func project(_ lines: String) throws -> Project {
    let text = "app: shop\nsourceLocale: en\n\(lines)\n"
    return try #require(ContentReader.read(ContentFolder(texts: ["content.yaml": text])).output)
      .project
  }

  static let texts = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, en-GB, fr, fr-CA]
    devices: {phone: {}}
    bundles:
      all: {include: "**"}
    """,
    "datatypes/product.yaml": """
    fields:
      title: {type: string, localized: true}
      care: {type: text, localized: true}
      color: {type: color, localized: true}
      sku: {type: string}
      badges: {type: list, of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}}}}
    """,
    "entries/product/rose.yaml": """
    title: Rose
    care: Water
    color: "#ff0000"
    sku: r1
    badges: [{id: new, label: New}, {id: hot, label: Hot, when: {until: 2030-01-01T00:00:00Z}}]
    """,
    "entries/product/rose.fr.yaml": "title: Rose\nbadges: [{id: new, label: Neuf}]\n",
    "entries/product/rose.fr-CA.yaml": "title: Rose d'ici\n",
    "strings/app.en.yaml": "en: {hello: Hello, bye: Bye}\n",
    "strings/app.fr.yaml": "fr: {hello: Bonjour}\n",
  ]
}

extension Socket {
  /// Returns `true` if the server closes the connection in time, or sends something unless
  /// `onlyClose` is set.
  func isClosed(afterMilliseconds time: Int32, onlyClose: Bool = false) -> Bool {
    var pollable = pollfd(fd: descriptor, events: onlyClose ? 0 : Int16(POLLIN), revents: 0)
    return poll(&pollable, 1, time) > 0
  }
}
