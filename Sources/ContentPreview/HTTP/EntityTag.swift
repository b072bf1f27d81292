/// A strong validator of a file's state (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// The tag with its quotes.
  let text: String

  /// Creates a tag; the name must contain no quotes.
  init(_ name: String) { text = "\"\(name)\"" }

  /// Returns `true` if the list in a field such as `If-None-Match` contains this tag or is `*`.
  ///
  /// `W/"x"` matches `"x"` only if tags are compared `weakly`. Invalid text matches nothing.
  func isNamed(in list: String, weakly: Bool) -> Bool {
    var rest = list.utf8[...]
    rest.skipSpace()
    if rest.elementsEqual("*".utf8) { return true }
    while let tag = rest.takeTag() {
      if (weakly || !tag.isWeak) && tag.text.elementsEqual(text.utf8) { return true }
      rest.skipSpace()
      guard rest.first == UInt8(ascii: ",") else { return false }
      while let byte = rest.first, byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09 {
        rest.removeFirst()
      }
    }
    return false
  }
}

extension Substring.UTF8View {
  fileprivate mutating func skipSpace() {
    while let byte = first, byte == 0x20 || byte == 0x09 { removeFirst() }
    while let byte = last, byte == 0x20 || byte == 0x09 { removeLast() }
  }

  /// Removes the first tag; returns `nil` if there is none.
  fileprivate mutating func takeTag() -> (isWeak: Bool, text: Substring.UTF8View)? {
    var rest = self
    let isWeak = rest.starts(with: "W/".utf8)
    if isWeak { rest = rest.dropFirst(2) }
    let quote = UInt8(ascii: "\"")
    guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
    let text = rest[...end]
    self = rest[rest.index(after: end)...]
    return (isWeak, text)
  }
}
