import ContentModel

/// The keys of a dictionary in canonical order, and where each of them stood in the file.
///
/// The dictionaries of one file are alike: what is found out for the first holds for hundreds.
struct DictionaryShape {
  let keys: [String]
  /// For each key its place in the file; empty if that is the canonical order already.
  let origins: [Int32]

  /// The first key that an earlier one repeats, as its place in the file.
  struct Duplicate: Error {
    let place: Int
  }

  init(_ found: [String]) throws(Duplicate) {
    if zip(found, found.dropFirst()).allSatisfy({ $0.precedesInBytes($1) }) {
      (keys, origins) = (found, [])
      return
    }
    let order = found.indices.sorted { a, b in
      found[a].precedesInBytes(found[b]) || (found[a].hasSameBytes(as: found[b]) && a < b)
    }
    let repeated = zip(order, order.dropFirst()).filter { found[$0].hasSameBytes(as: found[$1]) }
    if let place = repeated.map(\.1).min() { throw Duplicate(place: place) }
    (keys, origins) = (order.map { found[$0] }, order.map(Int32.init))
  }
}
