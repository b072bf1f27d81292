package import ContentModel
package import Diagnostics

/// A new text for one value of a YAML file, or a copy of a value if the file has none there.
package struct YAMLEdit: Hashable, Sendable {
  /// One step from a value to one inside it.
  package enum Step: Hashable, Sendable {
    /// The value of a key in a mapping.
    case key(ExactString)
    /// The item of a list at an index from 0; an index equal to the number of items appends one.
    case index(Int)
    /// The list item, a mapping, whose key `id` has this text; if there is none, the item is added.
    case item(ExactString)

    /// The value of a key in a mapping.
    package static func member(_ key: String) -> Step { .key(ExactString(key)) }

    /// The list item, a mapping, whose key `id` has this text.
    package static func item(withID id: String) -> Step { .item(ExactString(id)) }
  }

  /// The steps from the outermost value of the file.
  package var path: [Step]
  /// The new value, which YAML reads as a text.
  package var text: String
  /// The value to copy instead of a text; `nil` for a text.
  package var copied: YAMLNode?

  package init(_ path: [Step], text: String) {
    (self.path, self.text) = (path, text)
  }

  /// An edit that writes a copy of a value of another file, where no value is yet.
  package init(_ path: [Step], copying value: YAMLNode) {
    (self.path, text, copied) = (path, "", value)
  }

  package static func == (a: YAMLEdit, b: YAMLEdit) -> Bool {
    a.path == b.path && a.text.hasSameBytes(as: b.text) && a.copied?.identity == b.copied?.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    text.hashBytes(into: &hasher)
    hasher.combine(copied?.identity)
  }
}

/// The edits that cannot be made, each with its place in the file; nothing was changed.
package struct YAMLEditFailure: Error {
  /// The problems in the order of the edits, problems of the whole file first.
  package var problems: [YAMLEditProblem]
}

/// The reason why an edit cannot be made.
package struct YAMLEditProblem: Sendable {
  /// The kind of a problem.
  package enum Reason: Sendable {
    /// The file is not valid YAML; the associated value has the errors of its reader.
    case invalidFile([Diagnostic])
    /// The path has more steps than collections may be nested.
    case pathTooDeep
    /// Another edit sets the same value to another text, or changes a part of it.
    case conflictingEdit
    /// The value is not the mapping, the list or the text that the path demands.
    case wrongKind(expected: Expected)
    /// A key of the path occurs twice in its mapping.
    case duplicateKey(String)
    /// Several items of the list have the same id.
    case duplicateID(String)
    /// The index is greater than the number of items.
    case missingItem(index: Int, count: Int)
    /// The value has a tag such as `!!int`, with which a text is invalid.
    case tagged(String)
    /// The place has a notation that takes no further member or value.
    case notation
    /// A copy of an aliased value would have too many nodes.
    case copyTooLarge
    /// The edited file would not mean the same except for the edits.
    case changesOtherValues
  }

  /// The kind of value that a path requires.
  package enum Expected: String, Sendable {
    case mapping
    case list
    case text
  }

  /// The index of the edit; `nil` if the problem concerns the whole file.
  package var edit: Int?
  package var reason: Reason
  /// The location of the value, or of the innermost existing collection above a missing value.
  ///
  /// If neither exists, the location is the file, without a range.
  package var location: SourceLocation

  /// The rule that the edit breaks, as a sentence without a full stop.
  package var message: String {
    switch reason {
    case .invalidFile(let errors):
      "a file must be valid YAML before its texts can be changed"
        + (errors.first.map { ": \($0.message)" } ?? "")
    case .pathTooDeep: "the value is nested deeper than YAML files may be"
    case .conflictingEdit: "two edits change the same value"
    case .wrongKind(let expected): "the value must be a \(expected.rawValue)"
    case .duplicateKey(let key): "'\(key)' must occur only once in a mapping; delete one of the two"
    case .duplicateID(let id): "only one item of a list may have the id '\(id)'"
    case .missingItem(let index, let count):
      "the list has no item \(index + 1), only \(count)"
    case .tagged(let tag): "a value with the tag '\(tag)' cannot be a text; delete the tag"
    case .notation: "the value is written in a form that cannot be changed; write 'key: value'"
    case .copyTooLarge: "the aliased value is too large to copy; replace the alias"
    case .changesOtherValues: "the text cannot be written without changing other values"
    }
  }
}
