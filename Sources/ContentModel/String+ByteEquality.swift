import SystemC

// Content compares by its UTF-8 bytes, but the operators of the standard library compare strings by
// canonical equivalence. In a module with this file, these operators shadow them. Other modules
// have a symbolic link to this file.
//
// Generic code still uses canonical equivalence, so keys of dictionaries and members of sets are
// `ExactString`.

extension String {
  static func == (a: String, b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return order(of: a, to: b) == 0
  }

  static func != (a: String, b: String) -> Bool { !(a == b) }
  static func < (a: String, b: String) -> Bool { order(of: a, to: b) < 0 }
  static func > (a: String, b: String) -> Bool { order(of: a, to: b) > 0 }
  static func <= (a: String, b: String) -> Bool { order(of: a, to: b) <= 0 }
  static func >= (a: String, b: String) -> Bool { order(of: a, to: b) >= 0 }
  static func ~= (pattern: String, text: String) -> Bool { pattern == text }

  func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  func hasSuffix(_ suffix: String) -> Bool {
    utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  private static func order(of a: String, to b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        guard let first = a.baseAddress, let second = b.baseAddress else {
          return a.count - b.count
        }
        let order = memcmp(first, second, Swift.min(a.count, b.count))
        return order == 0 ? a.count - b.count : Int(order)
      }
    }
  }
}

extension String? {
  static func == (a: String?, b: String?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a == b
    default: false
    }
  }

  static func != (a: String?, b: String?) -> Bool { !(a == b) }
}

extension Sequence<String> {
  func contains(_ text: String) -> Bool { contains { $0 == text } }

  func sorted() -> [String] { sorted { $0 < $1 } }
}

extension Collection<String> {
  func firstIndex(of text: String) -> Index? { firstIndex { $0 == text } }
}

// The functions above search from the beginning, and would shadow the searches by hash. A set holds
// at most one of several canonically equivalent texts, so one comparison of bytes follows.

// String keys: such sets exist for names that are ASCII
extension Set<String> {
  func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }

  func firstIndex(of text: String) -> Index? {
    standardIndex(of: text).flatMap { self[$0] == text ? $0 : nil }
  }
}

// String keys: such dictionaries exist for names that are ASCII
extension Dictionary.Keys where Key == String {
  func contains(_ text: String) -> Bool { firstIndex(of: text) != nil }

  func firstIndex(of text: String) -> Index? {
    standardIndex(of: text).flatMap { self[$0] == text ? $0 : nil }
  }
}

extension Collection where Element: Equatable {
  /// Calls the standard library's `firstIndex(of:)`, which generic code sees.
  ///
  /// Sets and keys of dictionaries search by hash.
  fileprivate func standardIndex(of element: Element) -> Index? { firstIndex(of: element) }
}
