package import ContentModel

/// What somebody wants gone.
package struct PurgeOrder: Sendable {
  package enum Subject: Sendable {
    /// Entries by their ids.
    case entries([String])
    /// All that one release brought.
    case release(Int)
    /// An asset, wherever it is shown.
    case asset(Digest)
  }

  /// What readers get in its place.
  package enum Remedy: Sendable {
    case nothing
    /// What the last release had in which it was something else.
    case restoration
    /// Other values of fields; no value where a field is to go.
    case replacement([(name: String, value: Value?)])
  }

  package var subject: Subject
  /// Only these fields of the entries; all of them if empty.
  package var fields: [FieldPath]
  /// Only for readers whose locale, or its chain, has one of these; for all if empty.
  package var locales: [String]
  package var remedy: Remedy
  /// Whether other entries may go on naming what goes.
  package var leavesReferences: Bool
  /// Whether what entries that go said in earlier releases goes, too, in other words than now.
  package var takesHistory = false
  package var reason: String
  /// Who does it, if that is to be told.
  package var by: String?
  /// The same in the words in which somebody asked for it: who asks so again means the same.
  package var asked: [String] = []

  package init(
    _ subject: Subject, fields: [FieldPath] = [], locales: [String] = [], remedy: Remedy = .nothing,
    leavesReferences: Bool = false, reason: String, by: String? = nil
  ) {
    (self.subject, self.fields, self.locales, self.remedy) = (subject, fields, locales, remedy)
    (self.leavesReferences, self.reason, self.by) = (leavesReferences, reason, by)
  }
}
