/// A folder or a target whose files a command reads although no argument names them.
package enum CommandSource: CaseIterable, Sendable {
  /// The content folder, or only its `content.yaml`.
  case content
  /// The output folder.
  case output
  /// The target of a channel.
  case target
}

/// An exit status, and its meaning for one command.
package struct CommandStatus: Sendable {
  package var status: ExitStatus
  /// The condition for the status, such as `a bound exceeds 'stalenessLimit'`.
  package var meaning: String

  package init(_ status: ExitStatus, _ meaning: String) {
    (self.status, self.meaning) = (status, meaning)
  }
}

/// The type of a value in the JSON result of a command.
package enum ResultType: Sendable {
  case string, integer, number, boolean
  /// A time in the form of RFC 3339, in UTC.
  case moment
  /// A value of any type, such as the value of a field.
  case any
}

/// A key in the JSON result of a command.
package struct ResultKey: Hashable, Sendable {
  /// The path of the key as the documentation shows it, such as `channels.*.purges?`.
  ///
  /// `*` stands for any name, and `[]` for each item of a list. A key with `?` may be missing.
  package var path: String
  package var type: ResultType
}

/// Keys in the JSON result of a command that are described together, or a paragraph about the keys
/// that follow.
package struct ResultRow: Hashable, Sendable {
  /// The keys; empty for a paragraph.
  package var keys: [ResultKey]
  /// The meaning of the keys, or the paragraph, in Markdown.
  package var meaning: String

  package init(_ keys: KeyValuePairs<String, ResultType>, _ meaning: String) {
    self.keys = keys.map { ResultKey(path: $0, type: $1) }
    self.meaning = meaning
  }

  /// A paragraph about the keys that follow.
  package static func paragraph(_ text: String) -> ResultRow { ResultRow([:], text) }
}
