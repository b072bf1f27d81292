/// A text that compares by its UTF-8 bytes: a name, path, id or key in a dictionary or set.
///
/// `String` compares by canonical equivalence. As a key, it would merge names that file systems,
/// property lists and readers distinguish, such as the two encodings of `é`.
package struct ExactString: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The text.
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral text: String) { self.text = text }

  package var description: String { text }

  package static func == (a: ExactString, b: ExactString) -> Bool {
    a.text.hasSameBytes(as: b.text)
  }

  package static func < (a: ExactString, b: ExactString) -> Bool { a.text.precedesInBytes(b.text) }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  /// `true` if the text is empty.
  package var isEmpty: Bool { text.isEmpty }

  /// Returns `true` if the text begins with the bytes of another text.
  package func hasPrefix(_ prefix: String) -> Bool { text.hasBytePrefix(prefix) }

  /// Returns `true` if the text ends with the bytes of another text.
  package func hasSuffix(_ suffix: String) -> Bool { text.hasByteSuffix(suffix) }
}

extension Dictionary where Key == ExactString {
  /// Creates a dictionary of values by name; for duplicate names, the first value is used.
  package init(firstOf pairs: some Sequence<(String, Value)>) {
    self.init(pairs.lazy.map { (ExactString($0), $1) }) { first, _ in first }
  }

  /// The value of a name.
  package subscript(name: String) -> Value? {
    get { self[ExactString(name)] }
    set { self[ExactString(name)] = newValue }
  }

  /// The value of a name, or a default.
  package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(name), default: value()] }
    _modify { yield &self[ExactString(name), default: value()] }
  }

  /// Removes and returns the value of a name, or returns `nil`.
  @discardableResult package mutating func removeValue(forName name: String) -> Value? {
    removeValue(forKey: ExactString(name))
  }

  /// The names, sorted by code point.
  package var names: [String] { keys.sorted().map(\.text) }
}

extension Set<ExactString> {
  /// Creates a set of names.
  package init(names: some Sequence<String>) { self.init(names.lazy.map { ExactString($0) }) }

  /// Returns `true` if a name is in the set.
  package func contains(_ name: String) -> Bool { contains(ExactString(name)) }

  /// Adds a name; returns `true` if it is new.
  @discardableResult package mutating func insert(_ name: String) -> Bool {
    insert(ExactString(name)).inserted
  }

  /// The names, sorted by code point.
  package var names: [String] { sorted().map(\.text) }
}
