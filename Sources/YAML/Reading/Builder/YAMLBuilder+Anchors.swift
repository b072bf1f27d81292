import ContentModel
import Diagnostics

extension YAMLBuilder {
  /// Declares an anchor; it replaces an earlier one of the same name.
  mutating func declare(_ name: String, as anchored: Anchored) {
    if let earlier = anchors[name], !earlier.isUsed { warnOfUnused(name, at: earlier) }
    anchors[name] = anchored
  }

  /// Warns of anchors without an alias, since they are often meant as text.
  mutating func reportUnusedAnchors() {
    // A misspelt alias explains an unused anchor.
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
      .warning, rule: .unusedAnchor, at: location(span(start..<end)),
      message: "no alias '*\(name)' uses the anchor '&\(name)'; delete the anchor",
      notes: [.init("an anchor names a value, so that '*\(name)' can repeat it below")])
    if isText {
      let word = quoted(rest)
      diagnostic.message = "'&\(name)' is read as an anchor, not as text; to keep it, write \(word)"
      diagnostic.fixIt = Diagnostic.FixIt(span(rest).range, replacement: word)
    }
    diagnostics.append(diagnostic)
  }

  /// Returns the offset of `&` and the name, before or after a tag.
  private func offset(of name: String, in anchored: Anchored) -> Int? {
    let bytes = Array("&\(name)".utf8)
    let last = min(anchored.start, cursor.bytes.count - bytes.count)
    guard anchored.declaration <= last else { return nil }
    return (anchored.declaration...last).first { offset in
      bytes.indices.allSatisfy { cursor.bytes[offset + $0] == bytes[$0] }
    }
  }
}
