/// The way to a field of an entry: keys, and positions in lists.
///
/// ```swift
/// let label: FieldPath = "badges.0.label"
/// let version = FieldPath(keys: ["versions", "2.0"])
/// ```
public struct FieldPath: Hashable, Sendable {
  /// The keys from the outside; a position in a list is a number from 0 among its shown items.
  public let keys: [String]

  /// Creates a path of keys, which may contain dots.
  ///
  /// ```swift
  /// let version = FieldPath(keys: ["versions", "2.0"])
  /// ```
  public init(keys: [String]) { self.keys = keys }

  /// Creates a path of keys with dots between them.
  ///
  /// ```swift
  /// let label = FieldPath("badges.0.label")
  /// ```
  public init(_ text: String) {
    keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// Compares keys byte by byte.
  public static func == (a: FieldPath, b: FieldPath) -> Bool {
    a.keys.elementsEqual(b.keys) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the bytes of the keys.
  public func hash(into hasher: inout Hasher) {
    for key in keys { key.hashBytes(into: &hasher) }
  }
}

extension FieldPath: ExpressibleByStringLiteral {
  /// Creates a path of keys with dots between them.
  public init(stringLiteral text: String) { self.init(text) }
}
