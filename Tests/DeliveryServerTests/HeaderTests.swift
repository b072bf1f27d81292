import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import SharedGzip
import System
import TestServers
import Testing

/// The headers for readers and caches with the configurations that `contentc` recommends.
@Suite(.needsServers) struct HeaderTests {
  let scratch: ScratchFolder
  let target: FolderTarget
  let object: SampleObject

  init() throws {
    scratch = try ScratchFolder()
    target = FolderTarget(scratch.path("root"))
    object = try SampleObject(String(repeating: "roses ", count: 500))
    #expect(try target.create(object.key, as: object.file))
    #expect(try target.create("qa/releases/1-0123456789abcdef.plist", as: .config("record")))
    #expect(try target.replace("qa/config.plist", with: .config("config"), tagged: nil))
  }

  @Test(arguments: WebServer.Kind.allCases) func sendsObjectsAsImmutable(kind: WebServer.Kind)
    throws
  {
    let server = try WebServer(kind, root: scratch.path("root"))
    let plain = try server.get("/\(object.key)")
    #expect(plain.status == 200 && plain.isWhole && plain.body == object.bytes)
    #expect(plain["Content-Type"] == "application/x-plist")
    #expect(plain["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(plain["Vary"] == "Accept-Encoding")
    #expect(!plain.has("Content-Encoding") && !plain.has("CDN-Cache-Control"))

    let compressed = try server.get("/\(object.key)", ["Accept-Encoding": "gzip"])
    #expect(
      compressed.status == 200 && compressed.isWhole && compressed["Content-Encoding"] == "gzip")
    #expect(try compressed.body == object.file.compressed?.bytes)
    #expect(Gzip.decompress(compressed.body, size: object.bytes.count) == object.bytes)
    #expect(compressed["Content-Type"] == "application/x-plist")
    #expect(compressed["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(compressed["Vary"] == "Accept-Encoding")
    // Two representations need two tags (RFC 9110, section 8.8.3.3).
    let tags = [try #require(plain["ETag"]), try #require(compressed["ETag"])]
    #expect(tags[0] != tags[1])
  }

  @Test(arguments: WebServer.Kind.allCases) func sendsEveryMediaType(kind: WebServer.Kind) throws {
    let endings = MediaType.all.flatMap(\.endings)
    let folder = "root/objects/ab"
    scratch.makeFolder(folder)
    for ending in endings { try scratch.write("\(folder)/ab.\(ending)", "text") }
    let server = try WebServer(kind, root: scratch.path("root"))
    for ending in endings {
      let sent = try server.get("/objects/ab/ab.\(ending)")
      #expect(
        sent.status == 200 && sent["Content-Type"] == String.contentType(of: ending),
        "\(ending): \(sent)")
    }
  }

  @Test(arguments: WebServer.Kind.allCases) func sendsConfigForAMinuteInOneEncoding(
    kind: WebServer.Kind
  ) throws {
    let server = try WebServer(kind, root: scratch.path("root"))
    for headers in [[:], ["Accept-Encoding": "gzip, br, zstd"]] {
      let config = try server.get("/qa/config.plist", headers)
      #expect(config.status == 200 && config.isWhole && config.text == "config")
      #expect(config["Content-Type"] == "application/x-plist")
      #expect(config["Cache-Control"] == "public, max-age=60")
      #expect(
        config["CDN-Cache-Control"]
          == "max-age=300, stale-while-revalidate=30, stale-if-error=86400")
      #expect(!config.has("Content-Encoding") && !config.has("Vary") && config.has("ETag"))
    }
  }

  @Test(arguments: WebServer.Kind.allCases) func sendsRecordsAsImmutable(kind: WebServer.Kind)
    throws
  {
    let server = try WebServer(kind, root: scratch.path("root"))
    let record = try server.get("/qa/releases/1-0123456789abcdef.plist")
    #expect(record.status == 200 && record.text == "record")
    #expect(record["Content-Type"] == "application/x-plist")
    #expect(record["Cache-Control"] == "public, max-age=31536000, immutable")
  }

  @Test(arguments: WebServer.Kind.allCases) func reportsUnmodifiedFiles(kind: WebServer.Kind)
    throws
  {
    let server = try WebServer(kind, root: scratch.path("root"))
    for path in ["/qa/config.plist", "/\(object.key)"] {
      let first = try server.get(path)
      let tag = try #require(first["ETag"])
      let second = try server.get(path, ["If-None-Match": tag])
      #expect(second.status == 304 && second.body.isEmpty && second["ETag"] == tag)
      #expect(second["Cache-Control"] == first["Cache-Control"])
      #expect(try server.get(path, ["If-None-Match": "\"other\""]).status == 200)
    }
  }

  @Test(arguments: WebServer.Kind.allCases) func doesNotLetClientsCacheMissingFiles(
    kind: WebServer.Kind
  ) throws {
    let server = try WebServer(kind, root: scratch.path("root"))
    try scratch.write("root/objects/.contentc-1-1.tmp", "being written")
    for path in [
      "/objects/00/none.plist", "/none/config.plist", "/qa/releases/none.plist", "/none",
      "/.contentc-lock",
      "/objects/.contentc-1-1.tmp",
    ] {
      let missing = try server.get(path)
      #expect(missing.status == 404, "\(path)")
      #expect(missing["Cache-Control"] == "no-store", "\(path)")
      #expect(!missing.has("CDN-Cache-Control"), "\(path)")
    }
  }
}
