/// A text that is compared by its UTF-8 bytes: a name, a path, an id or a key of content, as
/// dictionaries and sets hold them.
///
/// `String` itself is compared by canonical equivalence. As a key it would merge names that a file
/// system, a property list and a reader keep apart, such as the two spellings of `é`.
package struct ExactString: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text.
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  package static func == (a: ExactString, b: ExactString) -> Bool {
    a.text.hasSameBytes(as: b.text)
  }

  package static func < (a: ExactString, b: ExactString) -> Bool { a.text.precedesInBytes(b.text) }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension Dictionary where Key == ExactString {
  /// The values of some names; of a name that occurs twice, the first one counts.
  package init(firstOf pairs: some Sequence<(String, Value)>) {
    self.init(pairs.lazy.map { (ExactString($0), $1) }) { first, _ in first }
  }

  /// The value of a name.
  package subscript(name: String) -> Value? {
    get { self[ExactString(name)] }
    set { self[ExactString(name)] = newValue }
  }

  /// The value of a name, or what stands in for one.
  package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(name), default: value()] }
    _modify { yield &self[ExactString(name), default: value()] }
  }

  /// Removes and returns the value of a name.
  @discardableResult package mutating func removeValue(forName name: String) -> Value? {
    removeValue(forKey: ExactString(name))
  }

  /// The names in order of code points.
  package var names: [String] { keys.sorted().map(\.text) }
}

extension Set<ExactString> {
  /// The names among some texts.
  package init(names: some Sequence<String>) { self.init(names.lazy.map { ExactString($0) }) }

  /// Returns whether a name is in the set.
  package func contains(_ name: String) -> Bool { contains(ExactString(name)) }

  /// Adds a name; returns whether it is new.
  @discardableResult package mutating func insert(_ name: String) -> Bool {
    insert(ExactString(name)).inserted
  }

  /// The names in order of code points.
  package var names: [String] { sorted().map(\.text) }
}
