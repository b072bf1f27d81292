import ContentModel
import PropertyLists

/// The path of a value in an entry: names of fields, and ids or indexes of list items.
package struct ContentPath: Hashable, Sendable, CustomStringConvertible {
  let parts: [ExactString]

  init(_ parts: [ExactString]) { self.parts = parts }

  /// Reads `badges.new.label` or `badges[new].label`; `nil` for other text.
  package init?(_ text: String) {
    let dotted = text.replacing("[", with: ".").replacing("]", with: "")
    parts = dotted.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
      ExactString(String(Substring($0)))
    }
    if parts.isEmpty || parts.contains("") { return nil }
  }

  package var description: String { parts.map(\.text).joined(separator: ".") }

  /// Returns the value at the path.
  func value(in content: Value) -> Value? {
    parts.reduce(content) { value, part in value.flatMap { $0.child(part.text) } }
  }

  /// Returns content without the value at the path.
  func removed(from content: Value) -> Value { replaced(in: content, by: nil) }

  /// Returns content with another value at the path, or without it for `nil`; a path without a
  /// value changes nothing.
  func replaced(in content: Value, by value: Value?) -> Value {
    Self.replaced(parts[...], in: content, by: value)
  }

  private static func replaced(
    _ parts: ArraySlice<ExactString>, in content: Value, by value: Value?
  ) -> Value {
    guard let first = parts.first?.text else { return content }
    let isLast = parts.count == 1
    switch content {
    case .dictionary(var members):
      if isLast {
        members[first] = value
      } else {
        members[first] = members[first].map { replaced(parts.dropFirst(), in: $0, by: value) }
      }
      return .dictionary(members)
    case .array(var items):
      guard let place = content.place(of: first) else { return content }
      if !isLast {
        items[place] = replaced(parts.dropFirst(), in: items[place], by: value)
      } else if let value {
        items[place] = value
      } else {
        items.remove(at: place)
      }
      return .array(items)
    default: return content
    }
  }
}

extension Value {
  fileprivate func child(_ name: String) -> Value? {
    switch self {
    case .dictionary(let members): members[name]
    case .array(let items): place(of: name).map { items[$0] }
    default: nil
    }
  }

  /// Returns the index of a list item, which a path names by its id or its index.
  fileprivate func place(of name: String) -> Int? {
    guard let items else { return nil }
    let id = Value.string(name)
    if let place = items.firstIndex(where: { $0["id"] == id }) { return place }
    return Int(name).flatMap { items.indices.contains($0) ? $0 : nil }
  }
}
