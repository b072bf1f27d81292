package import ContentModel
package import Diagnostics

extension LimitedPart {
  /// Returns the problems of parts that clients refuse, or that have more than a quarter of the
  /// bytes that clients accept: one for the largest part of each kind.
  package static func problems(of parts: [LimitedPart], in folder: ContentFolder) -> [Diagnostic] {
    parts.large.map { part in
      let file = part.kind == .maintenance ? "maintenance.yaml" : "content.yaml"
      return Diagnostic(
        part.isTooLarge ? .error : .warning, id: part.kind.rule,
        at: SourceLocation(path: folder.shownPath(file)), message: part.sentence,
        notes: [Diagnostic.Note(part.remedy)])
    }
  }
}
