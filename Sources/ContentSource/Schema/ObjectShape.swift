package import ContentModel
package import Diagnostics
package import YAML

/// The fields of an object.
///
/// A class, so that a check retains it once while it reads the members of an object.
package final class ObjectShape: Sendable {
  /// In declared order.
  package let fields: [Field]
  /// A Boolean value that indicates whether undeclared fields are allowed.
  package let isOpen: Bool
  /// A Boolean value that indicates whether undeclared fields are the texts of a string catalog.
  package let isCatalog: Bool
  /// The place of the declaration.
  package let location: SourceLocation?
  /// A Boolean value that indicates whether a field, or one below it, is localized.
  let hasLocalizedParts: Bool
  /// A Boolean value that indicates whether a field, or one below it, is also written as a page.
  package let hasPages: Bool
  /// A Boolean value that indicates whether a field is a plural, or contains one.
  let hasPlurals: Bool
  private let names: FieldNames

  package init(
    fields: [Field], isOpen: Bool, isCatalog: Bool = false, location: SourceLocation? = nil
  ) {
    (self.fields, self.isOpen, self.isCatalog, self.location) = (
      fields, isOpen, isCatalog, location
    )
    hasLocalizedParts = isOpen || fields.contains { $0.isLocalized || $0.hasLocalizedParts }
    hasPages = fields.contains(where: \.hasPages)
    hasPlurals = fields.contains(where: \.hasPlurals)
    names = FieldNames(fields.map(\.name))
  }

  /// Returns the declared field of a name, or the implied field of an open shape.
  package func field(_ name: ExactString) -> Field? {
    if let declared = fields.first(where: { $0.name == name }) { return declared }
    return isOpen ? Field(name: name, kind: isCatalog ? .catalog : .any, isLocalized: true) : nil
  }

  /// Returns the place of a key's declared field.
  package func place(of key: YAMLNode) -> Int? { key.withTextBytes(names.place(of:)) }

  /// Returns the declared field of a key, or the implied field of an open shape.
  package func field(_ key: YAMLNode) -> Field? {
    if let place = place(of: key) { return fields[place] }
    return field(ExactString(key.text))
  }
}
