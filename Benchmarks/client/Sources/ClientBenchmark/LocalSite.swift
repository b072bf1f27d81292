import ContentClient
import Foundation
import Synchronization

/// A published site in memory, which answers at once.
final class LocalSite: ContentTransport {
  static let url = "https://bench.example"

  private let objects: [String: [UInt8]]
  private let configs: [[UInt8]]
  private let release = Mutex(1)

  init(_ folder: String) throws {
    let root = URL(fileURLWithPath: folder)
    var objects: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where path.hasPrefix("objects/")
      && (path.hasSuffix(".plist") || path.hasSuffix(".bundletext"))
    {
      objects["\(Self.url)/\(path)"] = Array(try Data(contentsOf: root.appending(path: path)))
    }
    self.objects = objects
    let count = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/configs").count
    configs = try (1...count).map {
      Array(try Data(contentsOf: root.appending(path: "configs/\($0).plist")))
    }
  }

  /// Goes on to the next release; returns `false` after the last one.
  func showsNextRelease() -> Bool {
    release.withLock { release in
      release = min(release + 1, configs.count + 1)
      return release <= configs.count
    }
  }

  /// The number of configs.
  var count: Int { configs.count }

  /// Serves a config from now on.
  func serve(_ number: Int) { release.withLock { $0 = number } }

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    if request.url.hasSuffix("config.plist") {
      let number = release.withLock { $0 }
      return ContentResponse(
        status: 200, headers: [("ETag", "\"\(number)\"")], body: configs[number - 1])
    }
    guard let body = objects[request.url] else { return ContentResponse(status: 404) }
    return ContentResponse(status: 200, body: body)
  }

  /// The objects with a text.
  func objects(holding text: String) -> [[UInt8]] {
    let wanted = Data(text.utf8)
    return objects.values.filter { Data($0).range(of: wanted) != nil }
  }
}
