import SharedGzip
import System
import TestServers

/// A release of a few objects.
///
/// Its config names them between two lines with the release's number.
struct SmallRelease: Sendable {
  static let configKey = "qa/config.plist"
  let objects: [SampleObject]
  let config: String

  init(_ number: Int) throws {
    objects = try (0..<3).map {
      try SampleObject(String(repeating: "release \(number), object \($0)\n", count: 300))
    }
    let padding = String(repeating: "of release \(number)\n", count: 1000)
    config =
      "release \(number)\n\(objects.map(\.key).joined(separator: "\n"))\n\(padding)end \(number)"
  }

  /// Returns the number of the release that a reader gets, and throws if it is not whole.
  static func check(_ response: Response, fetching fetch: (String) throws -> Response) throws -> Int
  {
    guard response.status == 200, response.isWhole else { throw Problem("config is cut") }
    let lines = response.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.hasPrefix("release "),
      let number = Int(first.dropFirst(8)),
      lines.last == "end \(number)", lines.count == 1005,
      lines[4..<1004].allSatisfy({ $0 == "of release \(number)" })
    else { throw Problem("config is mixed or cut") }
    for (index, key) in lines[1...3].enumerated() {
      try check(fetch(String(key)), String(key), "release \(number), object \(index)\n")
    }
    return number
  }

  private static func check(_ response: Response, _ key: String, _ line: String) throws {
    if response.status == 404 { throw Problem("\(key) is missing") }
    guard response.status == 200, response.isWhole else { throw Problem("\(key) is cut") }
    let isCompressed = response["Content-Encoding"] == "gzip"
    let bytes = isCompressed ? try Gzip.decompress(response.body, limit: 1 << 20) : response.body
    guard key.hasSuffix("\(SampleObject.name(of: bytes)).plist"),
      String(decoding: bytes, as: UTF8.self).hasPrefix(line)
    else { throw Problem("\(key) holds other bytes") }
  }
}
