import ContentModel
import Foundation
import Testing

@testable import ContentPreview

/// The files that the preview's page is written in.
@Suite struct PageFilesTests {
  private let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/PreviewPage/Page")

  @Test func areBundledWhole() throws {
    let found = try #require(
      FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles))
    let files = found.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
    let texts = try files.map {
      ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
    }
    #expect(Page.bundledFiles == Dictionary(uniqueKeysWithValues: texts))
  }

  /// This table gives extensions to assets without a path.
  @Test func giveAssetsTheExtensionsOfTheirMediaTypes() throws {
    let script = try String(
      contentsOf: folder.appending(path: "Drawing/draw-assets.js"), encoding: .utf8)
    let start = try #require(script.range(of: "const ENDINGS = ")).upperBound
    let end = try #require(script.range(of: ";", range: start..<script.endIndex)).lowerBound
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let endings = try decoder.decode(
      [String: [String]].self, from: Data(script[start..<end].utf8))
    for (type, known) in MediaType.all {
      let guessed = endings[type] ?? [type.split(separator: "/").last.map(String.init) ?? ""]
      #expect(guessed == known, "\(type)")
    }
    let types = MediaType.all.map(\.type) + ["application/octet-stream"]
    #expect(endings.keys.filter { !types.contains($0) } == [])
  }
}
