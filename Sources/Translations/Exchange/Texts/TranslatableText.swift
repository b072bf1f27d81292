package import ContentModel
package import ContentSource
package import YAML

/// A text of an entry that translators translate.
package struct TranslatableText: Sendable {
  /// The id without a plural category, such as `product/rose#badges.new.label`.
  ///
  /// The id of a text for a device has the device after the entry: `product/rose@ipad#title`. A
  /// `.`, a bracket, a `%` and a control character of a key are percent-encoded.
  package let id: ExactString
  /// The entry.
  package let entry: EntryID
  /// The device of the file; `nil` for all devices.
  package let device: String?
  /// The value: a scalar, or the mapping of a plural.
  package let node: YAMLNode
  /// The field of the text.
  package let field: Field
  /// The description of the field, or of the nearest field around it.
  package let note: String?
  /// The steps from the entry's mapping to the value.
  let steps: [YAMLEdit.Step]
  /// The outermost list without ids around the text; a translation replaces the list as a whole.
  let list: WholeList?
  /// The mappings of the same plural in earlier files of the catalog.
  private(set) var earlierParts: [YAMLNode] = []

  /// `true` if the value has a text for each plural category.
  package var isPlural: Bool { node.kind == .mapping }

  /// `true` if the text is Markdown.
  package var isMarkdown: Bool { if case .markdown = field.kind { true } else { false } }

  /// `true` if the text is in a string catalog.
  ///
  /// Mistakes in translations of a catalog are warnings.
  package var isOfCatalog: Bool { if case .catalog = field.kind { true } else { false } }

  /// Returns the text of a plural category, or that of `other` if the language has no such
  /// category.
  package func text(of category: PluralCategory) -> String? {
    (member(category) ?? member(.other)).flatMap { $0.isNull ? nil : $0.text }
  }

  /// Returns the value of a plural category; `nil` if the plural does not have it.
  func member(_ category: PluralCategory) -> YAMLNode? {
    ([node] + earlierParts).lazy.compactMap { $0[category.rawValue] }.first
  }

  /// Returns the plural with the categories that an earlier file has.
  func after(_ earlier: TranslatableText) -> TranslatableText {
    var text = self
    text.earlierParts = [earlier.node] + earlier.earlierParts
    return text
  }
}

/// A list without ids, which a translation replaces as a whole.
struct WholeList: Sendable {
  /// The id of the list, in the same form as the ids of texts.
  let id: ExactString
  /// The list.
  let node: YAMLNode
  /// The steps from the entry's mapping to the list.
  let steps: [YAMLEdit.Step]
}
