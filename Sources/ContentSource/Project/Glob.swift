import ContentModel

/// A pattern for ids and paths: `*` matches within one segment, `**` matches any number of
/// segments.
package struct Glob: Hashable, Sendable {
  package var text: String { pattern.text }
  private let pattern: ExactString
  private let segments: [String]

  /// A pattern; `nil` if it is empty, begins or ends with `/`, or has an empty segment.
  package init?(_ text: String) {
    segments = Self.segments(of: text)
    guard !segments.contains("") else { return nil }
    pattern = ExactString(text)
  }

  /// A Boolean value that indicates whether the pattern has no wildcard.
  package var isLiteral: Bool { !text.utf8.contains(UInt8(ascii: "*")) }

  /// The longest prefix of everything that the pattern matches.
  package var literalPrefix: Substring {
    text[..<(text.utf8.firstIndex(of: UInt8(ascii: "*")) ?? text.endIndex)]
  }

  /// Returns `true` if the pattern matches an id or a path.
  package func matches(_ path: String) -> Bool {
    if isLiteral { return path.hasSameBytes(as: text) }
    return Self.match(segments, against: Self.segments(of: path))
  }

  private static func segments(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  private static func match(_ pattern: [String], against path: [String]) -> Bool {
    match(pattern, against: path, isStar: { $0 == "**" }) { pattern, segment in
      match(
        Array(pattern.utf8), against: Array(segment.utf8), isStar: { $0 == UInt8(ascii: "*") },
        fits: ==)
    }
  }

  /// On a mismatch the last star takes one element more, so the time is at worst the product of the
  /// lengths.
  private static func match<Pattern, Element>(
    _ pattern: [Pattern], against text: [Element], isStar: (Pattern) -> Bool,
    fits: (Pattern, Element) -> Bool
  ) -> Bool {
    var (p, t) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, isStar(pattern[p]) {
        star = (p, t)
        p += 1
      } else if p < pattern.count, fits(pattern[p], text[t]) {
        (p, t) = (p + 1, t + 1)
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (p, t) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy(isStar)
  }
}
