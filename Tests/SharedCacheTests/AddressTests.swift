import TestServers
import Testing

@testable import ContentBuild

@Suite struct AddressTests {
  @Test(arguments: [
    ("http://cache", "http://cache"), ("https://cache:8090/", "https://cache:8090"),
    ("http://u:p@cache/a/b//", "http://cache/a/b"), ("http://[::1]:80/a", "http://[::1]:80/a"),
    ("s3+https://s3.example.com/bucket/shop", "https://s3.example.com/bucket/shop"),
    ("http://a@b@cache/x@y", "http://cache/x@y"),
  ])
  func showsAnAddressWithoutItsUser(text: String, shown: String) throws {
    #expect(try CacheAddress(text).base == shown)
  }

  @Test(arguments: [
    ("", CacheAddressError.scheme), ("cache:80", .scheme), ("ftp://cache", .scheme),
    ("file:///tmp", .scheme),
    ("s3://bucket", .scheme), ("HTTP://cache", .scheme), ("http://", .noHost),
    ("http:///a", .noHost),
    ("http://u:p@", .noHost), ("http://:80", .noHost), ("http://cache?a", .characters),
    ("http://cache/#a", .characters), ("http://ca che", .characters),
    ("http://cache/\u{E9}", .characters),
    ("http://cache\r\nX:", .characters), ("http://u:%0@cache", .user),
    ("http://u:%+1@cache", .user),
    ("http://u%0A@cache", .user), ("http://%FF@cache", .user),
  ])
  func refusesInvalidAddresses(text: String, error: CacheAddressError) {
    #expect(throws: error) { try CacheAddress(text) }
  }
}
