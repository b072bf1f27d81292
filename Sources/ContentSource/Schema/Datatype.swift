package import ContentModel
package import Diagnostics

/// An entry's schema: its fields, its lifetime in apps, and the subsets of fields for bundles.
///
/// A class, since every entry refers to one.
package final class Datatype: Sendable {
  package let name: String
  package let shape: ObjectShape
  /// The time for which an app shows an entry after it last read config.
  package let ttl: TimeSpan?
  /// The subsets of fields, by name.
  package let projections: [Projection]
  /// A Boolean value that indicates whether entries must be reachable from a startup bundle.
  package let isFlow: Bool
  package let location: SourceLocation
  /// `true` if an error in the file was reported, so that a missing part may be one that could not
  /// be read.
  package let isPartial: Bool

  /// A named subset of fields.
  package struct Projection: Sendable {
    package var name: ExactString
    package var fields: [ExactString]
  }

  init(
    name: String, shape: ObjectShape, ttl: TimeSpan? = nil, projections: [Projection] = [],
    isFlow: Bool = false,
    location: SourceLocation = SourceLocation(path: ""), isPartial: Bool = false
  ) {
    (self.name, self.shape, self.ttl, self.projections) = (name, shape, ttl, projections)
    (self.isFlow, self.location, self.isPartial) = (isFlow, location, isPartial)
  }

  /// Returns the datatype for an unreadable file, which allows any field.
  static func unread(
    _ name: String, at location: SourceLocation = SourceLocation(path: "")
  ) -> Datatype {
    Datatype(
      name: name, shape: ObjectShape(fields: [], isOpen: true), location: location, isPartial: true)
  }

  /// Returns a datatype for any localized fields, as of string catalogs and the maintenance entry.
  package static func open(_ name: String, fields: [Field] = [], ttl: TimeSpan? = nil) -> Datatype {
    Datatype(name: name, shape: ObjectShape(fields: fields, isOpen: true), ttl: ttl)
  }
}
