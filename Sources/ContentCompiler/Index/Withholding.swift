package import ContentModel
package import ContentSource
import SourceYAML

/// Returns the paths of the content files whose entries are all under embargo at a moment.
///
/// A build record does not name these files. It names a file that also has public content.
package func withheldFiles(of tree: ContentTree, at instant: Instant) -> Set<ExactString> {
  let rules = ResolutionRules(of: tree.project)
  return tree.files(onlyOf: tree.entries.map { $0.isWithheld(at: instant, by: rules) })
}

extension ContentTree {
  /// The paths of the files whose layers all belong to some entries.
  func files(onlyOf isGiven: [Bool]) -> Set<ExactString> {
    guard isGiven.contains(true) else { return [] }
    var (own, others) = (Set<ExactString>(), Set<ExactString>())
    for (entry, isGiven) in zip(entries, isGiven) {
      for layer in entry.layers {
        if isGiven {
          own.insert(ExactString(layer.path))
        } else {
          others.insert(ExactString(layer.path))
        }
      }
    }
    own.subtract(others)
    return Set(
      sources.map(\.path).filter { own.contains(ExactString(folder.shownPath($0))) }.map {
        ExactString($0)
      })
  }
}

extension Entry {
  /// Returns `true` if only an embargo keeps the entry out of a build.
  fileprivate func isWithheld(at instant: Instant, by rules: ResolutionRules) -> Bool {
    guard !datatype.shape.isCatalog, layers.contains(where: { $0.node["when"] != nil }) else {
      return false
    }
    let isShown = rules.order.plan(self).variants.compactMap { variant -> Bool? in
      let slots = variant.slots.map {
        Resolver.Slot(node: layers[$0.layer].node, isSource: $0.isSource, isInChain: $0.isInChain)
      }
      let resolver = Resolver(
        context: rules.contexts[variant.context], conditions: rules.conditions)
      guard case .admitted(let condition) = resolver.admission(slots) else { return nil }
      return condition?.isWithheld(at: instant) != true
    }
    return isShown.contains(false) && !isShown.contains(true)
  }
}
