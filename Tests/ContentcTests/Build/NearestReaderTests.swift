import Testing

@testable import TestCommands

/// The reader of nearest entries that `docs/reference/output.md` has for other languages.
@Suite struct NearestReaderTests {
  @Test func findsTheNearestStoresOfTheSampleInPython() throws {
    let sandbox = try Sandbox()
    try sandbox.copySample(to: "content", format: "binary")
    let built = try sandbox.run("build", "--quiet")
    try #require(built.status == 0, "\(built.errors)")
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let found = try sandbox.script("nearest-reader.py", "\(root)/docs/reference/output.md", "out")
    #expect(found.status == 0, "\(found.errors)")
    let numbers = found.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 4)
    #expect(numbers[1] == 2_010 && numbers[2] < numbers[3], "queries, stores, loaded tiles, tiles")
  }
}
