import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Synchronization
import TestInputs
import Testing

/// The bytes of the sample, which must not change by accident.
@Suite struct GoldenTests {
  @Test func buildsTheRecordedBytesOfTheSample() throws {
    let tests = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let folder = try ContentFolder.disk(at: "\(tests)/../../content", name: "content")
    let tree = try #require(ContentReader.read(folder).output)
    let objects = Mutex<[OutputObject]>([])
    let noon = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    let build = try compile(tree, at: noon) { object in objects.withLock { $0.append(object) } }
    let output = try #require(build.output)
    var lines =
      output.links.map { "\($0.digest) \($0.path)" }
      + objects.withLock { $0 }.map {
        "\($0.digest) .\($0.fileExtension) \($0.bytes.count)"
      }.sorted()
    lines.append("\(Digest(of: output.config.bytes)) \(output.config.path)")
    lines += output.files.map { "\(Digest(of: $0.bytes)) \($0.path)" }
    // The build record has the compiler's version and the hash of each source, and config names the
    // record. All of them change with any comment, so the test compares their contents instead.
    let record = try #require(output.links.first { $0.path == "build.plist" }?.digest)
    let recordBytes = try #require(objects.withLock { $0.first { $0.digest == record }?.bytes })
    let parts = try PropertyList.decode(recordBytes).value["sources"]
    let left = [record.hex] + (parts?.keys ?? []).compactMap { parts?[$0]?.hash }
    let kept = lines.filter { line in
      !left.contains { line.hasPrefix($0) } && !line.hasSuffix(output.config.path)
    }
    try CheckedOutFiles.expect(
      "Tests/ContentCompilerTests/Golden/sample.txt",
      toBe: kept.sorted().map { "\($0)\n" }.joined())
  }
}
