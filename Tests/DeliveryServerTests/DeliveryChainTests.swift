import ContentTargets
import TestServers
import Testing

/// A shield and an edge before an origin.
@Suite(.needsServers) struct DeliveryChainTests {
  let scratch: ScratchFolder
  let target: FolderTarget
  let object: SampleObject

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    target = FolderTarget(scratch.path)
    object = try SampleObject(String(repeating: "roses ", count: 500))
    #expect(try target.create(object.key, as: object.file))
    #expect(try target.replace("qa/config.plist", with: .config("release 1"), tagged: nil))
  }

  @Test func servesNewConfigAfterAPurgeOfBothCaches() throws {
    let chain = try DeliveryChain(root: scratch.path)
    for encoding in ["", "gzip", "gzip, br", "br"] {
      let answer = try chain.get("/\(object.key)", ["Accept-Encoding": encoding])
      #expect(answer.status == 200, "\(chain.edge.output)")
      #expect(answer.has("Content-Encoding") == encoding.contains("gzip"))
    }
    let tag = try target.read("qa/config.plist")?.tag
    #expect(try chain.get("/qa/config.plist").text == "release 1")
    #expect(try target.replace("qa/config.plist", with: .config("release 2"), tagged: tag))
    let config = try chain.get("/qa/config.plist")
    #expect(config.text == "release 1" && config["X-Cache"] == "HIT")
    #expect(config["Cache-Control"] == "public, max-age=60")

    #expect(try chain.shield.send("PURGEKEYS", "/", ["xkey-purge": "shop-qa-config"]).status == 200)
    #expect(try chain.edge.get("/_purge/qa/config.plist").status == 200)
    for _ in 0..<10 { #expect(try chain.get("/qa/config.plist").text == "release 2") }
  }
}
