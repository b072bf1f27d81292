import ContentModel
package import YAML

/// The kinds of a string catalog's values, as its source locale decides them.
///
/// A mapping of plural categories can be a plural, or texts for genders or reasons. Aliases share
/// the identity of their anchor.
package struct CatalogKinds: Sendable {
  /// Returns `true` if a key is a plural category of CLDR; languages differ in their categories.
  package static func isPluralCategory(_ key: String) -> Bool {
    PluralCategory.allCases.contains { $0.rawValue == key }
  }

  private var plurals: Set<YAMLNode.Identity> = []
  /// Mappings of categories that are no plurals in one place at least.
  private var mappings: Set<YAMLNode.Identity> = []
  private var refused: Set<YAMLNode.Identity> = []

  init() {}

  /// `true` if a value is a plural, so that its form depends on the reader's locale.
  package var hasPlurals: Bool { !plurals.isEmpty }

  /// Returns `true` for a plural, whose categories never merge with those of another locale.
  package func isPlural(_ node: YAMLNode) -> Bool {
    !plurals.isEmpty && node.isPartOfPlural && plurals.contains(node.identity)
      && !mappings.contains(node.identity)
  }

  /// Returns `true` for a translation of another kind than its source text, in whose place readers
  /// get the value of another locale.
  package func isRefused(_ node: YAMLNode) -> Bool {
    !refused.isEmpty && refused.contains(node.identity)
  }

  mutating func addPlurals(_ nodes: [YAMLNode]) { plurals.formUnion(nodes.map(\.identity)) }

  mutating func addMappings(_ nodes: [YAMLNode]) { mappings.formUnion(nodes.map(\.identity)) }

  mutating func refuse(_ nodes: [YAMLNode]) { refused.formUnion(nodes.map(\.identity)) }
}
