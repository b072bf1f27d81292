// The app of an exhibit: it reads a site in a folder, and leaves what it stored (Scripts/make-exhibit.py).
//
//   exhibit-client SITE STORE CHANNEL [KEYS]

import ContentClient
import Foundation

/// Answers as a file server does.
struct FolderTransport: ContentTransport {
  let folder: String

  func send(
    _ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void
  ) async throws(TransportFailure) -> ContentResponse {
    let path = request.url.dropFirst("https://shop.example/".count)
    guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
      return ContentResponse(status: 404)
    }
    return ContentResponse(status: 200, headers: [("ETag", "\"exhibit\"")], body: [UInt8](bytes))
  }
}

struct Failure: Error {
  var outcome: RefreshOutcome
}

@main struct App {
  static func main() async throws {
    let words = CommandLine.arguments
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: words[3])
    configuration.context = ReaderContext(locales: ["fr"])
    configuration.eager = ["catalog"]
    configuration.storage = .folder(path: words[2])
    configuration.transport = FolderTransport(folder: words[1])
    if words.count > 4 { configuration.trust = .pinned(path: words[4]) }
    let client = try ContentClient(configuration)
    let outcome = await client.refresh().outcome
    guard case .updated = outcome else { throw Failure(outcome: outcome) }
  }
}
