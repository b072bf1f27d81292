package import CommandReports
package import ContentModel
import ContentSource

extension Value {
  /// Returns the value with dates in place of the texts in the `when` of items of lists.
  ///
  /// A file that replaces fields has these dates as texts.
  ///
  /// - Throws: `Failure` for a `when` that readers could not apply.
  package func readingItemDates(at path: String) throws(Failure) -> Value {
    switch self {
    case .dictionary(let members):
      var read: [(String, Value)] = []
      for (key, value) in members { read.append((key, try value.readingItemDates(at: path))) }
      return .dictionary(Members(read))
    case .array(let items):
      var read: [Value] = []
      for item in items {
        guard case .dictionary(var members) = item, let when = members["when"] else {
          read.append(try item.readingItemDates(at: path))
          continue
        }
        members["when"] = nil
        guard case .dictionary(var rest) = try Value.dictionary(members).readingItemDates(at: path)
        else { continue }
        rest["when"] = try Self.dates(when, at: path)
        read.append(.dictionary(rest))
      }
      return .array(read)
    default: return self
    }
  }

  private static func dates(_ when: Value, at path: String) throws(Failure) -> Value {
    let refusal = Failure(
      .contentErrors, "wrong-type",
      "'when' of an item must map 'from' and 'until' to times; a purge accepts no other key",
      at: path)
    guard case .dictionary(let members) = when else { throw refusal }
    var dates = Members()
    for (key, value) in members {
      guard key == "from" || key == "until" else { throw refusal }
      switch value {
      case .date: dates[key] = value
      case .string(let text):
        do { dates[key] = .date(try InstantSyntax.parse(text)) } catch {
          throw Failure(
            .contentErrors, "wrong-type", "'\(key)' of an item: \(error.sentence)", at: path)
        }
      default: throw refusal
      }
    }
    return .dictionary(dates)
  }
}
