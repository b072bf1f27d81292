import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import TestServers
import TestSigning
import Testing

@testable import ContentClient
@testable import TestDelivery

/// A shop whose config a publisher signs, and apps that pin the publisher's first key document.
struct SignedScene {
  let scene: ClientScene
  /// The publisher of the shop as it was published last, as release 5.
  var publisher: TestPublisher

  init() throws {
    scene = try ClientScene()
    publisher = try TestPublisher(at: scene.clock.now)
    try sign(release: 5)
  }

  /// Signs the published config as a release, and pretends that this is its number.
  mutating func sign(release: Int) throws {
    publisher.config = try #require(try PropertyList.decode(scene.config).value.members)
    publisher.number(release)
  }

  /// Publishes the shop with other files, as a release.
  mutating func publish(_ files: [String: String], release: Int) throws {
    try scene.publish(files)
    try sign(release: release)
  }

  /// Answers with a signed config, as a file server does.
  func serve(_ config: [UInt8]? = nil) throws {
    let bytes = try config ?? publisher.envelope()
    scene.transport.answer { [memory = scene.memory] request in
      guard request.url.hasSuffix("config.plist") else {
        return ClientScene.answer(request, from: memory)
      }
      let tag = "\"\(Digest(of: bytes).hex)\""
      return request.entityTag == tag
        ? ContentResponse(status: 304)
        : ContentResponse(status: 200, headers: [("ETag", tag)], body: bytes)
    }
  }

  /// Returns the configuration of an app that pins a key document, by default the newest one.
  func configuration(
    pinning document: SignedBody? = nil, storing: Bool = false
  ) throws -> ContentConfiguration {
    let document = try document ?? publisher.keyDocument()
    let path = "\(scene.scratch.path)/keys-\(Digest(of: document.body).hex.prefix(8)).json"
    try FolderFile.replace(path, with: try document.file(), isDurable: false)
    var configuration = scene.configuration(storing: storing)
    configuration.trust = .pinned(path: path)
    return configuration
  }

  func client(pinning document: SignedBody? = nil, storing: Bool = false) throws -> ContentClient {
    try ContentClient(configuration(pinning: document, storing: storing))
  }

  /// Writes the live release into a folder, signed, and returns its path.
  func bake() throws -> String {
    let folder = try scene.bake()
    try FolderFile.replace(
      "\(folder)/config.plist", with: try publisher.envelope(), isDurable: false)
    return folder
  }
}

extension ContentClient {
  /// The trusted key document and the floors.
  var trust: TrustMemory? { get async { await refresher.state.trust } }
}
