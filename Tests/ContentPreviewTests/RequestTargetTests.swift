import ContentModel
import Testing

@testable import ContentPreview

/// The decoding of request targets.
@Suite struct RequestTargetTests {
  @Test(arguments: [
    ("/", []), ("/preview/config.plist", ["preview", "config.plist"]),
    ("/%70review/x", ["preview", "x"]),
    ("/a/", ["a", ""]), ("//a", ["", "a"]),
    ("/%252e%252e/x", ["%2e%2e", "x"]), ("/fran%C3%A7ais", ["français"]), ("/...", ["..."]),
  ])
  func acceptsPlainNames(text: String, segments: [String]) throws {
    #expect(try RequestTarget(text).segments == segments)
  }

  @Test(arguments: [
    "", "*", "preview/config.plist", "/..", "/../x", "/a/../b", "/a/.", "/%2e%2e/x", "/%2E./x",
    "/.%2e/x", "/..%2fx",
    "/%2e%2e%2fx", "/..%5cx", "/..\\x", "/a%00b", "/a%0ab", "/a%7f", "/%c0%ae%c0%ae/x", "/%c0%af",
    "/%e0%80%af",
    "/%ed%a0%80", "/%ff", "/%", "/%2", "/%zz", "/a b", "/a#b", "/é", "http://localhost/a",
    "https://localhost/a",
    "file:///etc/passwd",
    "ftp://x/y", "localhost:443", "/a?x=%00", "/a?x=%zz",
  ])
  func refusesUnsafeTargets(text: String) {
    #expect(throws: RequestTarget.ParseError.self) { try RequestTarget(text) }
  }

  @Test func decodesAQueryOnce() throws {
    let query = try RequestTarget("/api/explain?entry=product%2Frose&locale=fr-CA&a=1+2&b").query
    #expect(query.map(\.name) == ["entry", "locale", "a", "b"])
    #expect(query.map(\.value) == ["product/rose", "fr-CA", "1 2", ""])
  }
}
