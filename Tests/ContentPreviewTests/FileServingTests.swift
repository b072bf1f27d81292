import TestServers
import Testing

@testable import ContentPreview

/// The files of a build over HTTP.
@Suite struct FileServingTests {
  @Test func sendsObjectsAsImmutable() async throws {
    let live = try await LivePreview()
    let response = try await live.get(LivePreview.objectPath)
    #expect(response.status == 200)
    #expect(response.body == LivePreview.plain)
    #expect(response["etag"] == "\"\(LivePreview.object)\"")
    #expect(response["content-type"] == "application/x-plist")
    #expect(response["cache-control"] == "public, max-age=31536000, immutable")
    #expect(response["content-length"] == "\(LivePreview.plain.utf8.count)")
    #expect(response["vary"] == "accept-encoding")
    #expect(response["access-control-allow-origin"] == nil)
    // The fixture's clock is fixed at 1,000,000,000 seconds after 1970.
    #expect(response["date"] == "Sun, 09 Sep 2001 01:46:40 GMT")
    await live.preview.stop()
  }

  /// Without ranges, Safari plays nothing and Chromium cannot seek.
  @Test(arguments: [
    ("wav", "audio/wav"), ("mp3", "audio/mpeg"), ("webm", "video/webm"), ("mp4", "video/mp4"),
  ])
  func sendsRangesOfSoundAndVideo(fileExtension: String, type: String) async throws {
    let live = try await LivePreview()
    let path = LivePreview.objectPath.replacing(".plist", with: ".\(fileExtension)")
    try live.folder.write("out\(path)", "0123456789")
    try live.folder.write("out\(path).gz", LivePreview.packed)
    let part = try await live.get(path, ["Range: bytes=0-1", "Accept-Encoding: gzip"])
    #expect(part.status == 206)
    #expect(part["content-type"] == type)
    #expect(part["content-range"] == "bytes 0-1/10")
    #expect(part["accept-ranges"] == "bytes" && part["content-encoding"] == nil)
    #expect(part.body == "01")
    await live.preview.stop()
  }

  /// A page of the content has the server's origin: its policy must admit no script and no form.
  @Test func sendsPagesOfTheContentInASandbox() async throws {
    let live = try await LivePreview()
    let path = LivePreview.objectPath.replacing(".plist", with: ".html")
    try live.folder.write("out\(path)", "<!doctype html><script>alert(1)</script>")
    let page = try await live.get(path)
    #expect(page["content-type"] == "text/html; charset=utf-8")
    #expect(page["x-content-type-options"] == "nosniff")
    let policy = try #require(page["content-security-policy"])
    let directives = policy.split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(
      directives.sorted() == [
        "base-uri 'none'", "default-src 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "img-src 'self'", "sandbox allow-same-origin", "style-src 'unsafe-inline'",
      ])
    let again = try await live.get(path, ["If-None-Match: \"\(LivePreview.object)\""])
    #expect(again.status == 304)
    #expect(again["content-security-policy"] == policy)
    await live.preview.stop()
  }

  @Test func sendsConfigThatMustBeRevalidated() async throws {
    let live = try await LivePreview()
    let response = try await live.get("/preview/config.plist", ["Accept-Encoding: gzip"])
    #expect(response["cache-control"] == "no-cache")
    #expect(response["vary"] == nil)
    let tag = try #require(response["etag"])
    #expect(try await live.get("/preview/config.plist", ["If-None-Match: \(tag)"]).status == 304)
    try live.folder.write("out/preview/config.plist", "{ app = other; }")
    let later = try await live.get("/preview/config.plist", ["If-None-Match: \(tag)"])
    #expect(later.status == 200)
    #expect(later.body == "{ app = other; }")
    await live.preview.stop()
  }

  @Test(arguments: [
    ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=0.5", true), ("*", true),
    ("br, *;q=0.1", true),
    ("gzip;q=1.0, identity;q=0.5", true), ("identity", false), ("gzip;q=0", false),
    ("gzip; q=0.000", false),
    ("*;q=0", false), ("gzip;q=0, *", false), ("gzip;q=0.2, identity;q=0.8", false), ("br", false),
    ("", false),
    ("gzip;q=much", false), (";,;q=1,,", false),
  ])
  func sendsTheCompressedCopyIfAccepted(accepted: String, isPacked: Bool) async throws {
    let live = try await LivePreview()
    let response = try await live.get(LivePreview.objectPath, ["Accept-Encoding: \(accepted)"])
    #expect(response.body == (isPacked ? LivePreview.packed : LivePreview.plain))
    #expect(response["content-encoding"] == (isPacked ? "gzip" : nil))
    #expect(response["etag"] == "\"\(LivePreview.object)\(isPacked ? "-gzip" : "")\"")
    #expect(response["vary"] == "accept-encoding")
    await live.preview.stop()
  }

  @Test(arguments: [
    ("\"%\"", 304), ("W/\"%\"", 304), ("*", 304), ("\"a\", \"%\"", 304),
    ("\"a\",,W/\"%\" , \"b\"", 304),
    ("\"a\"", 200), ("%", 200), ("\"%", 200), ("\"%x\"", 200), ("", 200), ("\"a\" \"%\"", 200),
  ])
  func reportsUnmodifiedFiles(known: String, status: Int) async throws {
    let live = try await LivePreview()
    let list = known.replacing("%", with: LivePreview.object)
    let response = try await live.get(LivePreview.objectPath, ["If-None-Match: \(list)"])
    #expect(response.status == status)
    #expect(response["etag"] == "\"\(LivePreview.object)\"")
    #expect(response.body == (status == 304 ? "" : LivePreview.plain))
    await live.preview.stop()
  }

  @Test(arguments: [("\"%\"", 200), ("*", 200), ("W/\"%\"", 412), ("\"a\"", 412)])
  func checksIfMatch(wanted: String, status: Int) async throws {
    let live = try await LivePreview()
    let list = wanted.replacing("%", with: LivePreview.object)
    #expect(try await live.get(LivePreview.objectPath, ["If-Match: \(list)"]).status == status)
    await live.preview.stop()
  }

  @Test(arguments: [
    ("bytes=0-4", "bytes", "0-4"), ("bytes=6-", "of an object, bytes of an object", "6-37"),
    ("bytes=-6", "object", "32-37"),
    ("bytes=37-99", "t", "37-37"), ("bytes=-999", LivePreview.plain, "0-37"),
    ("Bytes=0-0", "b", "0-0"),
    ("bytes=0-99999999999999999999999", LivePreview.plain, "0-37"),
  ])
  func sendsOneRange(range: String, body: String, place: String) async throws {
    let live = try await LivePreview()
    let response = try await live.get(LivePreview.objectPath, ["Range: \(range)"])
    #expect(response.status == 206)
    #expect(response.body == body)
    #expect(response["content-range"] == "bytes \(place)/38")
    #expect(response["content-length"] == "\(body.utf8.count)")
    await live.preview.stop()
  }

  @Test(arguments: [
    "bytes=38-", "bytes=99-100", "bytes=-0", "bytes=5-4", "bytes=a-b", "bytes=", "bytes=-",
    "bytes=1", "bytes=--1",
    "bytes=0x1-2", "bytes=1-2-3", "bytes=99999999999999999999999-", "bytes=-1e3",
    "bytes=" + (0..<500).map { "\($0 % 30)-" }.joined(separator: ","),
  ])
  func refusesUnsatisfiableRanges(range: String) async throws {
    let live = try await LivePreview()
    let response = try await live.get(LivePreview.objectPath, ["Range: \(range)"])
    #expect(response.status == 416)
    #expect(response["content-range"] == "bytes */38")
    #expect(response.body == "")
    await live.preview.stop()
  }

  @Test(arguments: [
    ["Range: items=0-4"], ["Range: bytes=0-1, 3-4"], ["Range: bytes=0-1", "If-Range: \"other\""],
    ["Range: bytes=0-1", "If-Range: Tue, 15 Nov 1994 12:45:26 GMT"],
    ["Range: bytes=0-1", "If-Range: W/\"\(LivePreview.object)\""],
  ])
  func sendsTheWholeFileForOtherRanges(fields: [String]) async throws {
    let live = try await LivePreview()
    let response = try await live.get(LivePreview.objectPath, fields)
    #expect(response.status == 200)
    #expect(response.body == LivePreview.plain)
    await live.preview.stop()
  }

  @Test func sendsARangeOfAnUnmodifiedFile() async throws {
    let live = try await LivePreview()
    let fields = ["Range: bytes=0-1", "If-Range: \"\(LivePreview.object)\""]
    #expect(try await live.get(LivePreview.objectPath, fields).body == "by")
    await live.preview.stop()
  }

  @Test(arguments: ["/", "/preview/config.plist", LivePreview.objectPath, "/api/state", "/none"])
  func sendsTheFieldsOfGETForHEAD(path: String) async throws {
    let live = try await LivePreview()
    // The first build changes the state.
    for _ in 0..<500 where try await !live.get("/api/state").body.contains("\"build\"") {
      try await Task.sleep(for: .milliseconds(10))
    }
    let (get, head) = (try await live.get(path).fields, try await live.get(path, method: "HEAD"))
    #expect(head.body == "")
    #expect(head["content-length"] != "0")
    #expect(head.fields == get)
    await live.preview.stop()
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PURGE", "BREW"])
  func refusesOtherMethods(method: String) async throws {
    let live = try await LivePreview()
    let response = try await live.get("/api/state", method: method)
    // The parser rejects unknown methods itself.
    #expect(response.status == (method == "BREW" ? 400 : 405))
    await live.preview.stop()
  }

  @Test func sendsALargeFileWholeAndAsARange() async throws {
    let live = try await LivePreview()
    let text = String(repeating: "0123456789abcdef", count: 100_000)
    let name = String(repeating: "3f", count: 31) + "40"
    try live.folder.write("out/objects/3f/\(name).txt", text)
    let response = try await live.get("/objects/3f/\(name).txt")
    #expect(response.body == text)
    let part = try await live.get("/objects/3f/\(name).txt", ["Range: bytes=131070-1000000"])
    #expect(part.body.utf8.elementsEqual(Array(text.utf8)[131_070...1_000_000]))
    await live.preview.stop()
  }

  @Test func handlesSeveralRequestsOnOneConnection() async throws {
    let live = try await LivePreview()
    let one = "GET /preview/config.plist HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let last =
      "GET \(LivePreview.objectPath) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    let response = try await live.send(one + one + last)
    #expect(response.body.split(separator: "HTTP/1.1 200 OK").count == 3)
    #expect(response.body.hasSuffix(LivePreview.plain))
    await live.preview.stop()
  }
}
