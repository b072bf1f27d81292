import ContentModel
import Diagnostics

extension YAMLBuilder {
  /// Gives a node a name; an earlier node of that name can no longer be reached.
  mutating func declare(_ name: String, as anchored: Anchored) {
    if let earlier = anchors[name], !earlier.isUsed { warnOfUnused(name, at: earlier) }
    anchors[name] = anchored
  }

  /// Warns of names that no alias uses: often they were meant as text.
  mutating func reportUnusedAnchors() {
    // An alias that is misspelt explains why its anchor is not used.
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    let unused = anchors.filter { !$0.value.isUsed }.sorted {
      $0.value.declaration < $1.value.declaration
    }
    for (name, anchored) in unused { warnOfUnused(name.text, at: anchored) }
  }

  private mutating func warnOfUnused(_ name: String, at anchored: Anchored) {
    guard let start = offset(of: name, in: anchored) else { return }
    let end = start + 1 + name.utf8.count
    let rest = textToEndOfLine(from: start)
    let isText =
      anchored.row.kind == .scalar && anchored.row.isPlainStyle && !rest.isEmpty
      && rest.upperBound > anchored.start
      && anchored.start > end
    var diagnostic = Diagnostic(
      .warning, id: "unused-anchor", at: location(span(start..<end)),
      message: "no alias '*\(name)' uses the anchor '&\(name)'; delete the anchor",
      notes: [.init("an anchor names a value, so that '*\(name)' can repeat it below")])
    if isText {
      let word = quoted(rest)
      diagnostic.message = "'&\(name)' is read as an anchor, not as text; to keep it, write \(word)"
      diagnostic.fixIt = Diagnostic.FixIt(span(rest).range, replacement: word)
    }
    diagnostics.append(diagnostic)
  }

  /// The span of `&` and the name, before or behind a tag.
  private func offset(of name: String, in anchored: Anchored) -> Int? {
    let bytes = Array("&\(name)".utf8)
    let last = min(anchored.start, cursor.bytes.count - bytes.count)
    guard anchored.declaration <= last else { return nil }
    return (anchored.declaration...last).first { offset in
      bytes.indices.allSatisfy { cursor.bytes[offset + $0] == bytes[$0] }
    }
  }
}
