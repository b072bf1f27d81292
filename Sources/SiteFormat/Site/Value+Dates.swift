package import ContentModel
package import PropertyLists

/// The dates of entries and of their list items, as `contentc` publishes them.
extension Value {
  /// Adds the dates of an entry, and those of the list items in it.
  package func collectDates(into found: inout Set<Instant>) {
    found.formUnion([self["from"]?.instant, self["until"]?.instant].compactMap(\.self))
    self["content"]?.collectItemDates(into: &found)
  }

  private func collectItemDates(into found: inout Set<Instant>) {
    switch self {
    case .array(let items):
      for item in items {
        if let when = item["when"] {
          found.formUnion([when["from"]?.instant, when["until"]?.instant].compactMap(\.self))
        }
        item.collectItemDates(into: &found)
      }
    case .dictionary(let members):
      for (_, value) in members { value.collectItemDates(into: &found) }
    default: break
    }
  }

  /// The value without the list items outside their dates, and without `when` in the others.
  package func shown(at now: Instant) -> Value {
    switch self {
    case .array(let items):
      return .array(items.filter { $0.isShownItem(at: now) }.map { $0.shown(at: now) })
    case .dictionary(let members):
      return .dictionary(Members(members.map { ($0.key, $0.value.shown(at: now)) }))
    default: return self
    }
  }

  /// Returns whether a list's item is shown at an instant.
  private func isShownItem(at now: Instant) -> Bool {
    guard let when = self["when"] else { return true }
    if let from = when["from"]?.instant, now < from { return false }
    if let until = when["until"]?.instant, now >= until { return false }
    return true
  }
}

extension BinaryPropertyList.Node {
  /// Returns whether the dates of an entry allow an instant; `false` if they cannot be read.
  package func isCurrent(at now: Instant) -> Bool {
    do {
      if let from = try self["from"] {
        guard let from = from.instant, from <= now else { return false }
      }
      if let until = try self["until"] {
        guard let until = until.instant, now < until else { return false }
      }
      return true
    } catch {
      // An entry before its date may be secret.
      return false
    }
  }

  /// A date, or a text in RFC 3339 form.
  private var instant: Instant? { contentsIfReadable?.instant }
}
