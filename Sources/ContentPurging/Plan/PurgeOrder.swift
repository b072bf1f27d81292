package import ContentModel

/// The purge that a user asks for.
package struct PurgeOrder: Sendable {
  package enum Subject: Sendable {
    /// Entries by their ids.
    case entries([String])
    /// All that one release brought.
    case release(Int)
    /// An asset, wherever it is shown.
    case asset(Digest)
  }

  /// The replacement that readers get.
  package enum Remedy: Sendable {
    case nothing
    /// The form in the last release in which the content was different.
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
  /// `true` if other entries may still refer to removed ones.
  package var leavesReferences: Bool
  /// `true` to remove the different content of the entries in earlier releases, too.
  package var takesHistory = false
  package var reason: String
  /// The name of the author, if it is to be recorded.
  package var by: String?
  /// The order in the words of the command: equal words mean the same order.
  package var asked: [String] = []

  package init(
    _ subject: Subject, fields: [FieldPath] = [], locales: [String] = [], remedy: Remedy = .nothing,
    leavesReferences: Bool = false, reason: String, by: String? = nil
  ) {
    (self.subject, self.fields, self.locales, self.remedy) = (subject, fields, locales, remedy)
    (self.leavesReferences, self.reason, self.by) = (leavesReferences, reason, by)
  }
}
