import ContentClient
import ContentModel
import Foundation

/// What is timed, ours and Foundation's.
struct Tasks {
  /// A product as an app declares it.
  struct Product: Decodable, Equatable {
    let title: String
    let price: Double
    let stock: Int
    let tags: [String]
  }

  /// A bundle as an app without the client declares it.
  struct Bundle: Decodable {
    struct Entry: Decodable { let content: Product }

    let order: [String]
    let entries: [String: Entry]
  }

  private let configuration: ContentConfiguration
  private let client: ContentClient
  /// The catalog's bytes.
  private let catalog: [UInt8]

  private static let iterations = 1000
  private static let wanted = "product/p0500"

  /// Loads release 1, with all parts of the archive.
  init(of site: LocalSite, store: String) async throws {
    var configuration = ContentConfiguration(
      url: LocalSite.url, app: "bench", channel: "production")
    configuration.context = ReaderContext(locales: ["en"])
    configuration.eager = ["catalog"]
    configuration.storage = .folder(path: store)
    configuration.limits.storage = 200_000_000
    configuration.transport = site
    self.configuration = configuration
    client = try ContentClient(configuration)
    guard case .updated = await client.refresh(.launch).outcome else { throw BadUse() }
    client.markHealthy()
    try await client.prefetch(["archive"])
    let bundle = site.objects(holding: Self.wanted).first {
      (try? PropertyListDecoder().decode(Bundle.self, from: Data($0))) != nil
    }
    guard let bundle else { throw BadUse() }
    catalog = bundle
  }

  /// Compares what the client reads with what Foundation reads.
  func check() throws {
    let found = read()
    guard found.count == 20, try found == readByFoundation(), Self.field(of: client) != nil,
      try Self.field(of: client) == fieldByFoundation()
    else { throw BadUse() }
  }

  /// Times each task once, in turn.
  func round() throws -> [(String, Double)] {
    let entry = client.snapshot.entry(Self.wanted, in: "catalog")
    return [
      ("open", try time { _ = try ContentClient(configuration) }),
      ("open and read", try time { keep(Self.field(of: try ContentClient(configuration))) }),
      ("open and find", try time { keep(Self.found(by: try ContentClient(configuration))) }),
      ("find", repeated { keep(Self.found(by: client)) }),
      ("field", repeated { keep(entry?["title"]) }),
      ("entry", repeated { keep(Self.field(of: client)) }),
      ("field by Foundation", try time { keep(try fieldByFoundation()) }),
      ("read", time { keep(read()) }),
      ("read by Foundation", try time { keep(try readByFoundation()) }),
    ]
  }

  /// Times a refresh that shows the next release.
  func switchRelease() async throws -> Double {
    // Releases arrive apart: the client has removed what the last one replaced.
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    guard case .updated = await client.refresh(.launch).outcome else { throw BadUse() }
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func field(of client: ContentClient) -> String? {
    client.snapshot.entry(wanted, in: "catalog")?["title"]?.text
  }

  /// The same field, without the bundle's name: 500 parts of the archive may have the entry.
  private static func found(by client: ContentClient) -> String? {
    client.snapshot.entry(wanted)?["title"]?.text
  }

  private func read() -> [Product] {
    client.snapshot.entries(
      Product.self, in: "catalog", where: { $0["stock"]?.number ?? 0 >= 500 },
      sort: [.ascending("title")], limit: 20)
  }

  private func fieldByFoundation() throws -> String? {
    let list =
      try PropertyListSerialization.propertyList(from: Data(catalog), format: nil) as? [String: Any]
    let entry = (list?["entries"] as? [String: Any])?[Self.wanted] as? [String: Any]
    return (entry?["content"] as? [String: Any])?["title"] as? String
  }

  private func readByFoundation() throws -> [Product] {
    let bundle = try PropertyListDecoder().decode(Bundle.self, from: Data(catalog))
    let products = bundle.order.compactMap { bundle.entries[$0]?.content }.filter {
      $0.stock >= 500
    }
    return Array(products.sorted { $0.title < $1.title }.prefix(20))
  }

  /// Returns the seconds of one of many repetitions.
  private func repeated(_ body: () -> Void) -> Double {
    time { for _ in 0..<Self.iterations { body() } } / Double(Self.iterations)
  }

  private func time(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }
}

/// Sees to it that a result is made, whatever the optimizer thinks of it.
@inline(never)
func keep<Result>(_ result: Result) {
  withExtendedLifetime(result) {}
}
