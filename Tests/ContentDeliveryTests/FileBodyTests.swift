import ContentModel
import SharedGzip
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// Files that are read piece by piece.
@Suite struct FileBodyTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  @Test(arguments: [
    0, 1, FileBody.wholeLimit, FileBody.wholeLimit + 1, 2 * SourceFile.pieceCount,
    2 * SourceFile.pieceCount + 1,
  ])
  func readsTheBytesOfTheFile(count: Int) throws {
    let sample = try SampleFile(count: count, in: scratch)
    let body = try FileBody(contentsOf: sample.path)
    if case .file = body {
      #expect(count > FileBody.wholeLimit)
    } else {
      #expect(count <= FileBody.wholeLimit)
    }
    #expect(body.count == count && body.digest == Digest(of: sample.bytes))
    #expect(try body.bytes == sample.bytes && body.bytes == sample.bytes)
    #expect(body.isSame(as: .bytes(sample.bytes)) && !body.isSame(as: .bytes(sample.bytes + [0])))
    #expect(try body.isSame(as: FileBody(contentsOf: sample.path)))
  }

  @Test func opensPlainFilesOnly() throws {
    _ = try SampleFile(in: scratch)
    scratch.link("large", as: "link")
    try Program.run("/usr/bin/mkfifo", [scratch.path("pipe")])
    for name in ["link", "pipe", "none", "."] {
      #expect(throws: StoreError.self, "\(name)") { try FileBody(contentsOf: scratch.path(name)) }
    }
  }

  @Test(arguments: SampleFile.Change.allCases) func reportsAChangedFile(
    change: SampleFile.Change
  ) throws {
    let sample = try SampleFile(in: scratch)
    let body = try FileBody(contentsOf: sample.path)
    sample.apply(change)
    var seen = 0
    let error = #expect(throws: StoreError.self) { try body.forEachPiece { seen += $0.count } }
    #expect(error == .changed(path: sample.path) && seen < sample.bytes.count)
  }

  @Test func recognizesItsCompressedCopy() throws {
    let sample = try SampleFile(in: scratch)
    let plain = try FileBody(contentsOf: sample.path)
    let large = try sample.compressed(in: scratch)
    let small = FileBody.bytes(try GzipCompressor().compress(sample.bytes))
    #expect(large.count > FileBody.wholeLimit && small.count < FileBody.wholeLimit)
    let bytes = FileBody.bytes(sample.bytes)
    for gzip in [large, small] {
      #expect(try gzip.isCompressed(from: plain) && gzip.isCompressed(from: bytes))
      #expect(try !gzip.isCompressed(from: .bytes(sample.bytes.dropLast())))
      #expect(try !gzip.isCompressed(from: .bytes(sample.bytes.dropLast() + [1])))
    }
    #expect(try !plain.isCompressed(from: plain) && !bytes.isCompressed(from: plain))
  }
}
