import TestServers
import Testing

@testable import ContentPreview

/// QR codes, read by another program.
@Suite struct QRCodeTests {
  @Test(.needsServers, arguments: [1, 60, 213, 660, QRCode.mostBytes])
  func isReadByZBar(count: Int) throws {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789-/:?=&#".utf8)
    let text = String(
      decoding: (0..<count).map { alphabet[($0 * 7 + count) % alphabet.count] }, as: UTF8.self)
    let code = try #require(QRCode(text))
    #expect(try Self.read(code.rows) == text)
  }

  @Test(arguments: [0, QRCode.mostBytes + 1]) func isNilOutsideItsCapacity(count: Int) {
    #expect(QRCode(String(repeating: "a", count: count)) == nil)
  }

  @Test(.needsServers) func isDrawnInHalfBlocks() throws {
    let address = "http://192.168.1.20:4820/"
    let lines = try #require(QRCode(address)).text.split(separator: "\n")
    let rows = lines.flatMap { line in
      ["█▀", "█▄"].map { blocks in line.map { blocks.contains($0) ? "0" : "1" }.joined() }
    }
    #expect(try Self.read(rows) == address)
  }

  /// Returns the text that `zbarimg` reads from rows of dark (1) and light (0) modules.
  private static func read(_ rows: [String]) throws -> String {
    let (scale, quiet) = (3, 4)
    let margin = String(repeating: "0", count: quiet)
    let width = (rows.map(\.count).max() ?? 0) + 2 * quiet
    let blank = Array(repeating: String(repeating: "0", count: width), count: quiet)
    let lines = (blank + rows.map { margin + $0 + margin } + blank).flatMap { row in
      let line = row.map { String(repeating: $0, count: scale) }.joined()
      return Array(repeating: line, count: scale)
    }
    let folder = try ScratchFolder()
    try folder.write(
      "code.pbm", "P1\n\(width * scale) \(lines.count)\n\(lines.joined(separator: "\n"))\n")
    let words = ["--nodbus", "--quiet", "--raw", folder.path("code.pbm")]
    let reader = try Program("/usr/bin/zbarimg", words, output: folder.path("text"))
    #expect(reader.wait() == 0)
    return try folder.read("text").split(separator: "\n").joined()
  }
}
