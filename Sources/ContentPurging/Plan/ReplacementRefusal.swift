/// The error for a replacement whose fields do not fit the replaced entries.
package struct ReplacementRefusal: Error, CustomStringConvertible {
  /// The reason why one field does not fit.
  package enum Problem: Hashable, Sendable {
    /// None of the entries has the field.
    case unknown(String)
    /// An entry has a place or a text with styles in the field, which only a build makes.
    case compiled(String, entry: String)
    /// An entry has a value of another kind in the field, such as "a list".
    case otherKind(String, kind: String, entry: String)
  }

  /// The problems in the order of the replacement's fields.
  package let problems: [Problem]
  /// The ids of the replaced entries.
  package let entries: [String]
  /// The names of these entries' fields.
  package let fields: [String]

  /// `true` if none of the entries has one of the fields.
  var hasUnknownField: Bool { problems.contains { if case .unknown = $0 { true } else { false } } }

  package var description: String {
    let fields = problems.map { problem in
      switch problem {
      case .unknown(let field), .compiled(let field, _), .otherKind(let field, _, _): "'\(field)'"
      }
    }
    return "the replacement of \(fields.joined(separator: ", ")) does not fit the entries"
  }
}
