import ContentModel
import Foundation
import Testing

/// The page's table of file extensions, for releases whose assets have no path.
@Suite struct FileExtensionTests {
  @Test func agreeWithTheMediaTypes() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = try String(
      contentsOf: root.appending(path: "Sources/ContentPreview/Page/Drawing/draw-assets.js"),
      encoding: .utf8)
    let start = try #require(script.range(of: "const ENDINGS = ")).upperBound
    let end = try #require(script.range(of: ";", range: start..<script.endIndex)).lowerBound
    let endings = try JSONDecoder().decode(
      [String: [String]].self, from: Data(script[start..<end].utf8))
    for (type, known) in MediaType.all {
      let guessed = endings[type] ?? [type.split(separator: "/").last.map(String.init) ?? ""]
      #expect(guessed == known, "\(type)")
    }
    let types = MediaType.all.map(\.type) + ["application/octet-stream"]
    #expect(endings.keys.filter { !types.contains($0) } == [])
  }
}
