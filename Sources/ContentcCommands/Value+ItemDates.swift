import ContentModel
import ContentSource
import Diagnostics
import YAML

/// The part of a file that a value was read from.
struct ValueOrigin {
  /// The path of the file in messages.
  let path: String
  /// The node of the value; `nil` if the file has no positions.
  let node: YAMLNode?

  /// The place of the value; the whole file if it has no positions.
  var location: SourceLocation { node?.place ?? SourceLocation(path: path) }

  /// The origin of a member's value.
  subscript(key: String) -> ValueOrigin { ValueOrigin(path: path, node: node?[key]) }

  /// Returns the origin of an item of a list.
  func item(_ index: Int) -> ValueOrigin {
    let items = node?.items
    return ValueOrigin(
      path: path, node: items.flatMap { $0.indices.contains(index) ? $0[index] : nil })
  }

  /// Returns the place of a member's key.
  func key(_ name: String) -> SourceLocation { node?.member(name)?.key.location ?? location }
}

extension Value {
  /// Returns the value with dates instead of texts in each `when` of a list's item.
  ///
  /// A file that replaces fields has these dates as texts. If readers could not apply a `when`, it
  /// is reported, and its wrong parts are left out.
  func readingItemDates(
    from origin: ValueOrigin, reporting mistakes: inout [Diagnostic]
  ) -> Value {
    switch self {
    case .dictionary(let members):
      var read: [(String, Value)] = []
      for (key, value) in members {
        read.append((key, value.readingItemDates(from: origin[key], reporting: &mistakes)))
      }
      return .dictionary(Members(read))
    case .array(let items):
      var read: [Value] = []
      for (index, item) in items.enumerated() {
        let itemOrigin = origin.item(index)
        guard case .dictionary(var members) = item, let when = members["when"] else {
          read.append(item.readingItemDates(from: itemOrigin, reporting: &mistakes))
          continue
        }
        members["when"] = nil
        let rest = Value.dictionary(members).readingItemDates(
          from: itemOrigin, reporting: &mistakes)
        var whole = rest.members ?? Members()
        whole["when"] = when.readingDates(from: itemOrigin["when"], reporting: &mistakes)
        read.append(.dictionary(whole))
      }
      return .array(read)
    default: return self
    }
  }

  /// Returns the `when` of an item with dates instead of texts; `nil` if the value is not a
  /// mapping.
  private func readingDates(
    from origin: ValueOrigin, reporting mistakes: inout [Diagnostic]
  ) -> Value? {
    guard case .dictionary(let members) = self else {
      mistakes.append(
        .wrongType(
          "'when' of an item", must: "map 'from' and 'until' to times", at: origin.location))
      return nil
    }
    let known = ["from", "until"]
    var dates = Members()
    for (key, value) in members {
      guard known.contains(key) else {
        var mistake = Diagnostic.unknown(
          "key", named: key, rule: .unknownKey, in: "'when' of an item", known: known,
          at: origin.key(key))
        mistake.notes.append(Diagnostic.Note("a purge accepts no other condition of an item"))
        mistakes.append(mistake)
        continue
      }
      switch value {
      case .date: dates[key] = value
      case .string(let text):
        do { dates[key] = .date(try InstantSyntax.parse(text)) } catch {
          mistakes.append(error.mistake(in: "'\(key)' of an item", from: origin[key]))
        }
      default:
        mistakes.append(
          .wrongType(
            "'\(key)' of an item", must: "be a time such as 2026-12-24T18:00:00+01:00",
            at: origin[key].location))
      }
    }
    return .dictionary(dates)
  }
}

extension InstantSyntax.Problem {
  /// Returns the error of a text that is no instant, with a fix if the file has positions.
  fileprivate func mistake(in name: String, from origin: ValueOrigin) -> Diagnostic {
    guard let node = origin.node else {
      return Diagnostic(
        .error, rule: .wrongType, at: origin.location, message: "\(name): \(sentence)")
    }
    return diagnostic(for: name, at: node)
  }
}
