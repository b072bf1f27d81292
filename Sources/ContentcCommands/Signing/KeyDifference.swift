package import ContentModel
import Diagnostics
package import SiteFormat

/// What a key document changes, compared with the document that counts before it.
///
/// A document counts once it is signed, so people must see what they sign.
package struct KeyDifference {
  private let earlier: KeyDocument?
  private let next: KeyDocument
  private let names: [KeyID: String]

  /// Compares a document with an `earlier` document; if there is none, everything is new.
  package init(from earlier: KeyDocument?, to next: KeyDocument, names: [KeyID: String]) {
    (self.earlier, self.next) = (earlier, next)
    self.names = names.merging(next.names) { _, own in own }
  }

  /// The SHA-256 of the text that is signed.
  package var digest: Digest { Digest(of: next.signed.body) }

  /// The changes, each a line without its indentation.
  package var changes: [String] {
    var lines: [String] = []
    for role in KeyDocument.Role.allCases {
      let (old, new) = (earlier?.roles[role], next.roles[role])
      let (before, after) = (Set(old?.keys.keys.map(\.self) ?? []), Set(new.keys.keys))
      let name = role.rawValue
      lines += after.subtracting(before).sorted().map { "adds to '\(name)': \(text(of: $0))" }
      lines += before.subtracting(after).sorted().map { "removes from '\(name)': \(text(of: $0))" }
      if let old, old.threshold != new.threshold {
        lines.append("'\(name)' needs \(new.threshold) signatures instead of \(old.threshold)")
      } else if old == nil {
        lines.append("'\(name)' needs \(new.threshold.counted("signature"))")
      }
    }
    let (old, new) = (earlier?.channels ?? [], next.channels)
    let channels = Self.names(in: new, notIn: old)
    if earlier == nil || !channels.isEmpty {
      let noun = channels.count == 1 ? "channel" : "channels"
      lines.append("is for the \(noun) \(channels.map(\.harmless).joined(separator: ", "))")
    }
    let gone = Self.names(in: old, notIn: new)
    if !gone.isEmpty {
      lines.append("is no longer for \(gone.map(\.harmless).joined(separator: ", "))")
    }
    if let floors = next.floors, floors != earlier?.floors {
      lines.append(
        "recovers: readers accept release \(floors.release) and later ones, and forget purges above "
          + "\(floors.purge)")
    } else if next.floors == nil, earlier?.floors != nil {
      lines.append("leaves out the recovery that earlier documents have")
    }
    lines.append(
      "counts until \(next.expires.rfc3339)"
        + (earlier.map { " instead of \($0.expires.rfc3339)" } ?? ""))
    return lines
  }

  private static func names(in names: [String], notIn others: [String]) -> [String] {
    let others = Set(names: others)
    return names.filter { !others.contains($0) }
  }

  private func text(of id: KeyID) -> String {
    let name = names[id].map { " \($0.harmless)" } ?? ""
    return "\(id)\(name)"
  }

  /// The lines of a page.
  package var lines: [String] {
    let digest = "  its SHA-256 is \(digest.hex)"
    guard let earlier else { return changes.map { "  \($0)" } + [digest] }
    return ["  compared with document \(earlier.version), which counts now, it"]
      + changes.map { "    \($0)" } + [digest]
  }
}
