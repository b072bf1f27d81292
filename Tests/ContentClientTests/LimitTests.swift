import ContentClientTesting
import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The sizes that publishing and the client limit alike.
@Suite struct LimitTests {
  /// Returns the shop with so many more bytes in its config, or in its English index.
  private func content(config: Int = 0, index: Int = 0) throws -> ReleaseContent {
    var content = try Shop(["entries/product/rose.yaml": "title: New\n"]).content()
    content.members["padding"] = .data([UInt8](repeating: 0, count: config))
    guard index > 0 else { return content }
    var indexes = try #require(content.members["indexes"]?.members)
    let digest = try #require(indexes["en"]?["any"]?.digest)
    let found = content.objects.first { $0.digest == digest }
    let known = try #require(found)
    let read = content.file
    let bytes = try read(known).body.bytes
    var members = try #require(try PropertyList.decode(bytes).value.members)
    members["padding"] = .data([UInt8](repeating: 0, count: index))
    let padded = try PropertyList.encode(.dictionary(members), as: .binary)
    let object = ReleaseObject(
      digest: Digest(of: padded), fileExtension: "plist", size: padded.count)
    indexes["en"] = ["any": .data(object.digest.bytes)]
    content.members["indexes"] = .dictionary(indexes)
    content.objects.append(object)
    content.file = {
      try $0 == object ? OutgoingFile(bytes: padded, headers: object.headers) : read($0)
    }
    return content
  }

  private func publish(_ content: ReleaseContent, in scene: ClientScene) throws {
    _ = try Shop().publisher(of: scene.place, run: "large").publish { _ in Draft(content: content) }
  }

  /// A client shows the largest content that can be published.
  @Test(arguments: [(config: 62_000, index: 0), (config: 0, index: 4_190_000)])
  func showsLargeContent(config: Int, index: Int) async throws {
    let scene = try ClientScene()
    try publish(try content(config: config, index: index), in: scene)
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  @Test(arguments: [
    (config: 66_000, index: 0, part: "config"), (config: 0, index: 4_200_000, part: "index"),
  ])
  func refusesToPublishWhatClientsRefuse(config: Int, index: Int, part: String) async throws {
    let scene = try ClientScene()
    let error = #expect(throws: DeliveryError.self) {
      try publish(try content(config: config, index: index), in: scene)
    }
    let text = "\(error.map { "\($0)" } ?? "")"
    #expect(text.contains(part) && text.contains("clients refuse more than"), "\(text)")
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }
}
