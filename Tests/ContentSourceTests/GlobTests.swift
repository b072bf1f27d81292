import TestInputs
import Testing

@testable import ContentSource

@Suite struct GlobTests {
  @Test(arguments: [
    ("product/*", "product/rose"), ("product/r*", "product/rose"), ("product/*e", "product/rose"),
    ("product/*o*e", "product/rose"), ("product/r*ose", "product/rose"), ("*/rose", "product/rose"),
    ("*/*", "a/b"),
    ("**", "a/b/c"), ("a/**", "a/b/c"), ("**/c", "a/b/c"), ("a/**/c", "a/c"), ("a/**/c", "a/b/b/c"),
    ("a/**/*/c", "a/b/c"), ("**/b/**", "a/b/c"), ("a/b", "a/b"), ("*a*a*b", "aaaab"),
    ("**/**", "a"),
    ("a/**/b/*/c", "a/b/b/b/x/c"), ("caf\u{E9}/*", "caf\u{E9}/a"),
    ("product/re*", "product/re\u{301}"),
  ])
  func matches(pattern: String, path: String) throws {
    #expect(try #require(Glob(pattern)).matches(path))
  }

  @Test(arguments: [
    ("product/*", "product/a/b"), ("product/*", "product"), ("product/*", "products/a"),
    ("*", "a/b"),
    ("product/r*x", "product/rose"), ("a/**/c", "a/b/d"), ("a/b", "a/b/c"), ("a/*/c", "a/c"),
    ("a/b*", "a/c"),
    ("**/c", "a/b/cc"), ("a/**/*/c", "a/c"), ("caf\u{E9}/a", "cafe\u{301}/a"),
    ("caf\u{E9}/*", "cafe\u{301}/a"), ("**/K", "a/\u{212A}"),
  ])
  func doesNotMatch(pattern: String, path: String) throws {
    #expect(try !#require(Glob(pattern)).matches(path))
  }

  @Test(arguments: ["", "/", "/a", "a/", "a//b"])
  func refusesEmptySegments(pattern: String) {
    #expect(Glob(pattern) == nil)
  }

  @Test func matchesInPolynomialTime() throws {
    let start = processorSeconds()
    let segments = try #require(Glob(String(repeating: "**/a/", count: 40) + "b"))
    #expect(!segments.matches(String(repeating: "a/", count: 400) + "c"))
    let letters = try #require(Glob(String(repeating: "a*", count: 40) + "b"))
    #expect(!letters.matches(String(repeating: "a", count: 4_000)))
    #expect(processorSeconds() - start < 2)
  }

  /// Compares with the plain definition: a star matches any text, and the remainder must match the
  /// rest.
  @Test func agreesWithItsDefinition() throws {
    var random = SeededGenerator(seed: 1)
    func word(_ letters: [String], _ count: Int) -> String {
      (0..<count).compactMap { _ in letters.randomElement(using: &random) }.joined()
    }
    for _ in 0..<3_000 {
      let pattern = word(["a", "b", "*"], Int.random(in: 1...6, using: &random))
      let path = word(["a", "b"], Int.random(in: 1...7, using: &random))
      if pattern.contains("**") { continue }
      #expect(
        try #require(Glob(pattern)).matches(path) == fits(pattern[...], path[...]),
        "\(pattern) \(path)")
    }
  }

  private func fits(_ pattern: Substring, _ text: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      return fits(pattern.dropFirst(), text) || (!text.isEmpty && fits(pattern, text.dropFirst()))
    }
    return text.first == first && fits(pattern.dropFirst(), text.dropFirst())
  }
}
