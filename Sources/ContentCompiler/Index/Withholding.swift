package import ContentModel
package import ContentSource
import YAML

/// Returns the paths of the content files whose entries are all under embargo at a moment.
///
/// A build record does not name these files. It names a file that also has public content.
package func withheldFiles(of tree: ContentTree, at instant: Instant) -> Set<ExactString> {
  let rules = ResolutionRules(of: tree.project)
  return tree.files(onlyOf: tree.entries.map { rules.isWithheld($0, at: instant) })
}

extension ContentTree {
  /// The paths of the files whose layers all belong to some entries.
  func files(onlyOf isGiven: [Bool]) -> Set<ExactString> {
    guard isGiven.contains(true) else { return [] }
    var (own, others) = (Set<ExactString>(), Set<ExactString>())
    for (entry, isGiven) in zip(entries, isGiven) {
      for layer in entry.layers {
        if isGiven {
          own.insert(layer.path)
        } else {
          others.insert(layer.path)
        }
      }
    }
    own.subtract(others)
    return Set(names: sources.map(\.path).filter { own.contains(folder.shownPath($0)) })
  }
}
