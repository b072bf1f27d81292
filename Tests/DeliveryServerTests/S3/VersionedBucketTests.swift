import ContentModel
import ContentReleases
import HTTPTransport
import SharedGzip
import System
import TestReaders
import TestServers
import Testing
import XML

@testable import ContentPurging
@testable import ContentTargets
@testable import TestDelivery

/// Buckets that keep earlier versions of removed files.
@Suite struct VersionedBucketTests {
  private static let bad = "Swear word"

  /// One test, because the server takes seconds to start.
  @Test(.needsServers) func aPurgeLeavesNoVersionOfWhatItRemoved() throws {
    let server = try SeaweedServer()
    try server.makeBucket("flowers")
    let target = try S3Target(server, "flowers/v1")
    try target.setVersioning("Enabled")
    try purgeLeavesNoVersion(target)
    try pruneKeepsVersionsOfUnneededFiles(target)
    try target.setVersioning("Suspended")
    // This target knows nothing of the bucket yet.
    try erasesVersionsOfASuspendedBucket(S3Target(server, "flowers/v1"))
  }

  /// Another implementation, of which one test suffices.
  @Test(.nightly) func aPurgeLeavesNoVersionAtMoto() throws {
    let server = try MotoServer()
    func newTarget() throws -> S3Target {
      try S3Target("s3://flowers/v1?endpoint=\(server.address)", keys: ("AKID", "s3cret"))
    }
    let target = try newTarget()
    #expect(try target.bucket.ask(S3Request(.put, key: "")).status == 200)
    try target.setVersioning("Enabled")
    try purgeLeavesNoVersion(target)
    try target.setVersioning("Suspended")
    try erasesVersionsOfASuspendedBucket(newTarget())
  }

  private func purgeLeavesNoVersion(_ target: S3Target) throws {
    let place = ChannelPlace(target)
    try Shop().publish(to: place)
    try Shop(["entries/product/rose.yaml": "title: \(Self.bad)\n"]).publish(to: place)
    #expect(try !target.versions(holding: Self.bad).isEmpty)
    let outcome = try place.purge(PurgeOrder(.entries(["product/rose"]), reason: "An insult"))
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(try target.versions(holding: Self.bad) == [])
    #expect(try place.broken() == [])
  }

  /// The owner of the bucket may want them back.
  private func pruneKeepsVersionsOfUnneededFiles(_ target: S3Target) throws {
    #expect(try target.create("objects/aa/unneeded.plist", as: OutgoingFile(text: "unneeded")))
    try target.remove("objects/aa/unneeded.plist")
    #expect(try target.read("objects/aa/unneeded.plist") == nil)
    #expect(try target.versions(holding: "unneeded").count == 1)
  }

  private func erasesVersionsOfASuspendedBucket(_ target: S3Target) throws {
    #expect(try target.create("objects/bb/a.plist", as: OutgoingFile(text: "suspended")))
    try target.erase("objects/bb/a.plist")
    #expect(try target.versions(holding: "suspended") == [])
    // Files whose names begin alike are others.
    #expect(try target.create("objects/bb/a.plist.b", as: OutgoingFile(text: "another")))
    try target.erase("objects/bb/a.plist")
    #expect(try target.read("objects/bb/a.plist.b")?.bytes == Array("another".utf8))
  }

  /// The credentials may delete files, but not their versions.
  @Test(arguments: ["GET", "DELETE"])
  func aPurgeThatMayNotDeleteVersionsSaysWhatToDo(refused: String) throws {
    let server = try ScriptedServer { request in
      let asksForVersions = request.path.contains("versions=")
      if asksForVersions || request.path.contains("versionId=") {
        return request.method == refused
          ? .answer(status: 403, body: Array("<Error><Code>AccessDenied</Code></Error>".utf8))
          : .answer(status: 200, body: Array(Self.list.utf8))
      }
      return .answer(status: 204, headers: ["x-amz-delete-marker: true"])
    }
    defer { server.stop() }
    let target = try S3Target(server)
    let error = #expect(throws: TargetError.self) { try target.erase("objects/aa/a.plist") }
    let message = error?.description ?? ""
    #expect(error?.kind == .denied)
    for words in [
      "keeps 'objects/aa/a.plist' as an earlier version", "AccessDenied",
      "s3:ListBucketVersions and s3:DeleteObjectVersion", "AWS_PROFILE", "lifecycle rule",
    ] { #expect(message.contains(words), "\(message)") }
    // The file itself is hidden first.
    #expect(server.requests.first?.method == "DELETE")
    #expect(server.requests.first?.path.contains("?") == false)
  }

  /// The server reports that it deleted a version, and has it still.
  @Test func anErasureThatChangesNothingIsAnError() throws {
    let server = try ScriptedServer { request in
      request.method == "GET"
        ? .answer(status: 200, body: Array(Self.list.utf8))
        : .answer(status: 204, headers: ["x-amz-delete-marker: true"])
    }
    defer { server.stop() }
    let error = #expect(throws: TargetError.self) {
      try S3Target(server).erase("objects/aa/a.plist")
    }
    #expect(error?.description.contains("says that it deleted version 'two'") == true)
    // The marker that hides the file stays, and so do versions of other files.
    let deleted = server.requests.filter { $0.method == "DELETE" }.map(\.path)
    #expect(deleted.dropFirst().allSatisfy { $0.hasSuffix("?versionId=two") })
  }

  /// A server without versions costs one question, however many files are erased.
  @Test(arguments: [
    (200, "<VersioningConfiguration/>"), (403, ""), (404, ""), (501, ""),
    (200, "<ListBucketResult/>"),
  ])
  func asksABucketWithoutVersionsOnce(status: Int, body: String) throws {
    let server = try ScriptedServer { request in
      request.method == "GET"
        ? .answer(status: status, body: Array(body.utf8)) : .answer(status: 204)
    }
    defer { server.stop() }
    let target = try S3Target(server)
    for name in ["a", "b", "c"] { try target.erase("objects/aa/\(name)") }
    #expect(server.requests.map(\.method) == ["DELETE", "GET", "DELETE", "DELETE"])
  }

  private static let list = """
    <ListVersionsResult><DeleteMarker><Key>v1/objects/aa/a.plist</Key><VersionId>one</VersionId></DeleteMarker>\
    <Version><Key>v1/objects/aa/a.plist</Key><VersionId>two</VersionId></Version>\
    <Version><Key>v1/objects/aa/a.plist.gz</Key><VersionId>three</VersionId></Version></ListVersionsResult>
    """
}

extension S3Target {
  fileprivate func setVersioning(_ state: String) throws {
    let text =
      "<VersioningConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Status>\(state)</Status></VersioningConfiguration>"
    let request = S3Request(
      .put, key: "", query: [("versioning", "")], body: .bytes(Array(text.utf8)))
    let answer = try bucket.ask(request)
    #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
  }

  /// Returns the keys of all versions, also of removed files, whose bytes contain a text.
  fileprivate func versions(holding text: String) throws -> [String] {
    let answer = try bucket.ask(S3Request(.get, key: "", query: [("versions", "")]))
    let root = try #require(XMLTree(answer.body))
    return try root.children.filter { $0.name == "Version" }.compactMap { item in
      let key = try #require(item["Key"]?.text)
      let id = try #require(item["VersionId"]?.text)
      let stored = try bucket.ask(S3Request(.get, key: key, query: [("versionId", id)]))
      let isGzip = stored.header("Content-Encoding") == "gzip"
      let bytes = isGzip ? try Gzip.decompress(stored.body, limit: 1 << 20) : stored.body
      return String(decoding: bytes, as: UTF8.self).contains(text) ? key : nil
    }
  }
}
