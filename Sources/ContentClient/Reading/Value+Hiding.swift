import ContentModel

extension Value {
  /// Returns the value without the list items that are or contain a hidden text.
  ///
  /// Of lists within lists, the innermost item is left out, so that its neighbours stay.
  func withoutItems(naming isHidden: (String) -> Bool) -> Value {
    switch self {
    case .array(let items):
      .array(
        items.map { $0.withoutItems(naming: isHidden) }.filter { !$0.names(isHidden) })
    case .dictionary(let members):
      .dictionary(Members(members.map { ($0.key, $0.value.withoutItems(naming: isHidden)) }))
    default: self
    }
  }

  /// Returns whether the value is a hidden text, or has one outside of the lists in it.
  private func names(_ isHidden: (String) -> Bool) -> Bool {
    switch self {
    case .string(let text): isHidden(text)
    case .dictionary(let members): members.contains { $0.value.names(isHidden) }
    default: false
    }
  }
}
