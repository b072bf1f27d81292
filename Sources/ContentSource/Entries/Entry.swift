package import ContentModel
package import Diagnostics
package import YAML

/// One piece of content as written: its base and all overlays.
package struct Entry: Sendable {
  package var id: EntryID
  package var datatype: Datatype
  /// The base and the overlays, in the order of their files.
  package var layers: [Layer]
  /// The conditions on locale or device in all layers, at any depth.
  package var contextConditions: [Condition] = []
  /// Fields whose absence a reported mistake explains, and which are not reported as missing.
  package var excusedFields: Set<ExactString> = []
  /// `true` if an error in a condition was reported, so that the readers of the entry are not all
  /// known.
  package var hasUnreadConditions = false
  /// The kinds of a string catalog's values; `nil` for another entry.
  package internal(set) var catalogKinds: CatalogKinds?
  /// References that a reported mistake is about, and which are not followed.
  package var refusedLinks: Set<SourcePlace> = []

  /// `true` if the entry has a plural, which depends on the locale of the context.
  package var hasPlurals: Bool { datatype.shape.hasPlurals || catalogKinds?.hasPlurals == true }

  /// The beginning of the entry: the place for messages about missing fields.
  package var location: SourceLocation { base.keyLocation }
  /// The beginning of the entry, which is known even after its texts are discarded.
  package var place: SourcePlace { base.keyPlace }

  private var base: Layer { layers.first { $0.isBase } ?? layers[0] }

  /// Discards the texts of the layers; the entry cannot be resolved again.
  package mutating func discardTexts() {
    for index in layers.indices { layers[index].discardText() }
  }
}
