import ContentModel
import PropertyLists

/// An order of entries by a field.
///
/// Texts compare by their bytes, numbers by value, dates by time. Entries without the field are
/// last; those with equal fields keep the bundle's order.
///
/// ```swift
/// let newest = EntrySort.descending("added")
/// ```
public struct EntrySort: Hashable, Sendable {
  /// The field.
  public let path: FieldPath
  /// `true` for the smallest value first.
  public let isAscending: Bool

  /// An order with the smallest value first.
  ///
  /// ```swift
  /// let cheapestFirst = EntrySort.ascending("price.amount")
  /// ```
  public static func ascending(_ path: FieldPath) -> EntrySort {
    EntrySort(path: path, isAscending: true)
  }

  /// An order with the largest value first.
  public static func descending(_ path: FieldPath) -> EntrySort {
    EntrySort(path: path, isAscending: false)
  }

  /// Sorts entries by the first order, then by the next ones.
  static func sorted(_ entries: [Entry], by orders: [EntrySort]) -> [Entry] {
    guard !orders.isEmpty else { return entries }
    let keys = orders.map { order in entries.map { $0[order.path] } }
    // Numbers move faster than entries.
    let places = entries.indices.sorted { a, b in
      for (order, keys) in zip(orders, keys) {
        switch Self.order(of: keys[a], to: keys[b], isAscending: order.isAscending) {
        case ..<0: return true
        case 1...: return false
        default: continue
        }
      }
      return a < b
    }
    return places.map { entries[$0] }
  }

  /// Returns a negative number if the first value is earlier, a positive one if it is later.
  private static func order(of a: Value?, to b: Value?, isAscending: Bool) -> Int {
    guard let a else { return b == nil ? 0 : 1 }
    guard let b else { return -1 }
    let order = order(of: a, to: b)
    return isAscending ? order : -order
  }

  private static func order(of a: Value, to b: Value) -> Int {
    if let a = a.comparable, let b = b.comparable { return a < b ? -1 : a > b ? 1 : 0 }
    if let a = a.text, let b = b.text {
      return a.precedesInBytes(b) ? -1 : a.hasSameBytes(as: b) ? 0 : 1
    }
    if let a = a.instant, let b = b.instant { return a < b ? -1 : a > b ? 1 : 0 }
    return 0
  }
}

extension Value {
  /// A number, or 0 and 1 for a boolean; `nil` for another value.
  fileprivate var comparable: Double? {
    switch self {
    case .integer, .real: real
    case .boolean(let flag): flag ? 1 : 0
    default: nil
    }
  }
}
