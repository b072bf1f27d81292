package import ContentModel
import ContentSource
package import YAML

/// A value in one context, with its location in the sources.
package struct Resolved: Sendable {
  package enum Shape: Sendable {
    case scalar(Value)
    case link(EntryID)
    case address(String)
    case asset(String)
    case markdown(ResolvedMarkdown)
    case plural(ResolvedPlural)
    case list([Resolved])
    case object([Member])
  }

  package struct Member: Sendable {
    package var key: ExactString
    package var value: Resolved
  }

  package var shape: Shape
  /// The most specific node that contributes to the value.
  package var origin: YAMLNode
  private var conditionBox: ConditionBox?

  /// The condition of a list's item on country, version and time.
  package var condition: Condition? {
    get { conditionBox?.condition }
    set { conditionBox = newValue.map(ConditionBox.init) }
  }

  init(shape: Shape, origin: YAMLNode) { (self.shape, self.origin) = (shape, origin) }

  /// Adds the dates of an item's condition as the member `when`, which readers apply.
  mutating func addDates(of condition: Condition, from node: YAMLNode) {
    guard case .object(var members) = shape else { return }
    let dates = [("from", condition.from), ("until", condition.until)].compactMap { key, date in
      date.map {
        Member(
          key: ExactString(key),
          value: Resolved(shape: .scalar(.date($0)), origin: node[key] ?? node))
      }
    }
    guard !dates.isEmpty else { return }
    let place = members.firstIndex { "when" < $0.key } ?? members.count
    members.insert(
      Member(key: "when", value: Resolved(shape: .object(dates), origin: node)), at: place)
    shape = .object(members)
  }

  /// The item without the dates that `addDates` added.
  package var withoutDates: Resolved {
    guard condition?.from != nil || condition?.until != nil, case .object(let members) = shape
    else { return self }
    var item = self
    item.shape = .object(members.filter { $0.key != "when" })
    return item
  }

  /// A condition.
  ///
  /// A class, since few values have a condition, and it would enlarge all of them.
  private final class ConditionBox: Sendable {
    let condition: Condition

    init(_ condition: Condition) { self.condition = condition }
  }
}

extension Resolved {
  /// Calls `body` for each value that can have a condition: this value, and the items of its lists.
  package func forEachItem(_ body: (Resolved) -> Void) {
    body(self)
    switch shape {
    case .list(let items): for item in items { item.forEachItem(body) }
    case .object(let members):
      for member in members where member.value.isContainer { member.value.forEachItem(body) }
    case .scalar, .link, .address, .asset, .markdown, .plural: break
    }
  }

  private var isContainer: Bool {
    switch shape {
    case .list, .object: true
    case .scalar, .link, .address, .asset, .markdown, .plural: false
    }
  }

  /// Calls `body` for this value and each value in it, containers first.
  ///
  /// `body` also gets the conditions of the value and of the values around it.
  package func forEachValue(within outer: [Condition], _ body: (Resolved, [Condition]) -> Void) {
    let guards = condition.map { outer + [$0] } ?? outer
    body(self, guards)
    switch shape {
    case .list(let items): for item in items { item.forEachValue(within: guards, body) }
    case .object(let members):
      for member in members { member.value.forEachValue(within: guards, body) }
    case .scalar, .link, .address, .asset, .markdown, .plural: break
    }
  }
}

extension Resolved {
  /// The geographic place of a value of type `place`; `nil` for another value.
  package var coordinate: Coordinate? {
    guard case .object(let members) = shape else { return nil }
    func degrees(_ key: ExactString) -> Double? {
      guard case .scalar(.real(let degrees))? = members.first(where: { $0.key == key })?.value.shape
      else { return nil }
      return degrees
    }
    guard let latitude = degrees("latitude"), let longitude = degrees("longitude") else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

extension [Resolved.Member] {
  /// Sorts the members by key.
  ///
  /// Insertion is faster than `sort`, since most objects have few members.
  mutating func sortByKey() {
    guard count <= 32 else { return sort { $0.key < $1.key } }
    for index in indices.dropFirst() {
      var place = index
      while place > 0, self[place].key < self[place - 1].key {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}

/// An entry in one context.
package struct ResolvedEntry: Sendable {
  /// The members in order of keys.
  package var members: [Resolved.Member]
  /// The condition on country, version and time; locale and device are already decided.
  package var condition: Condition?
}
