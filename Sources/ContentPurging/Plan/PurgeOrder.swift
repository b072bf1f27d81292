package import ContentModel

/// The purge that a user asks for.
package struct PurgeOrder: Sendable {
  package enum Subject: Sendable {
    /// Entries by their ids.
    case entries([String])
    /// The content that one release added or changed.
    case release(Int)
    /// Assets, such as all scales of a picture, in all entries that show them.
    case assets([Digest])

    /// An asset in all entries that show it.
    package static func asset(_ digest: Digest) -> Subject { .assets([digest]) }
  }

  /// The replacement that readers get.
  package enum Remedy: Sendable {
    case nothing
    /// The form in the last release in which the content was different.
    case restoration
    /// Other values of fields; `nil` removes a field.
    case replacement([(name: String, value: Value?)])
  }

  package var subject: Subject
  /// The fields of the entries to purge; empty for all of them.
  package var fields: [ContentPath]
  /// The locales whose readers, and those of locales that fall back to them, are affected; empty for
  /// all readers.
  package var locales: [String]
  package var remedy: Remedy
  /// `true` to purge the different contents of the entries in earlier releases, too.
  package var takesHistory = false
  /// The assets that a restored entry may show again although a purge removed them.
  package var readmitted: Set<Digest> = []
  /// The command as the user gave it, to which a refusal adds the missing options.
  package var command: String?
  /// `true` to purge content in another form, too, that was published after an unfinished purge in the
  /// same words.
  package var includesLater = false
  package var reason: String
  /// The name of the author, if it is to be recorded.
  package var by: String?
  /// The words of the command in canonical form: equal words mean the same order.
  package var commandWords: [String] = []

  /// The named entries.
  var ids: [String] { if case .entries(let ids) = subject { ids } else { [] } }

  /// `true` if the order removes whole entries for all readers.
  var removesWholeEntries: Bool {
    guard case .entries = subject, case .nothing = remedy else { return false }
    return fields.isEmpty && locales.isEmpty
  }

  /// The purged or replaced fields; `nil` stands for the whole content.
  var purgedFields: [ContentPath?] {
    var fields: [ContentPath?] = fields
    if case .replacement(let replaced) = remedy {
      fields = replaced.map { ContentPath([ExactString($0.name)]) }
    }
    return fields.isEmpty ? [nil] : fields
  }

  package init(
    _ subject: Subject, fields: [ContentPath] = [], locales: [String] = [],
    remedy: Remedy = .nothing, reason: String, by: String? = nil
  ) {
    (self.subject, self.fields, self.locales, self.remedy) = (subject, fields, locales, remedy)
    (self.reason, self.by) = (reason, by)
  }
}
