import SystemC

/// The placeholders of a text.
///
/// These are `{name}`, `%{name}`, and arguments as in `printf`: `%@`, `%d`, `%lld`, `%.2f`, `%1$@`.
/// The following are not placeholders: `%%`, a `%` before a space, a `%` between a digit and a
/// letter (`50%off`), messages of ICU (`{count, plural, …}`) with everything in them, and the
/// fields of a date (`%d.%m.%Y`). If a text has a letter after `%` that only dates have, none of
/// its `%d` is an argument.
package struct Placeholders: Sendable {
  /// Each placeholder once, in order of its first occurrence.
  package let all: [Placeholder]

  package init(in text: String) {
    var text = text
    self = text.withUTF8 { Placeholders(in: $0) }
  }

  /// The placeholders of a text in UTF-8.
  package init(in text: UnsafeBufferPointer<UInt8>) {
    guard Self.mayOccur(in: text) else {
      all = []
      return
    }
    var scan = PlaceholderScan(of: text)
    all = scan.run()
  }

  /// Returns `false` if the bytes of a text show that it has no placeholder.
  package static func mayOccur(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress else { return false }
    return memchr(start, Int32(UInt8(ascii: "%")), text.count) != nil
      || memchr(start, Int32(UInt8(ascii: "{")), text.count) != nil
  }

  /// A part of a text.
  package enum Piece: Hashable, Sendable {
    /// Text that an app shows as it is.
    case text(String)
    /// A place for a value.
    case placeholder(Placeholder)
  }

  /// Returns the pieces of a text in order.
  ///
  /// In a text with arguments as in `printf`, `%%` is a percent sign.
  package static func pieces(of text: String) -> [Piece] {
    var text = text
    return text.withUTF8 { bytes in
      guard mayOccur(in: bytes) else { return [.text(String(decoding: bytes, as: UTF8.self))] }
      var scan = PlaceholderScan(of: bytes, recordingRanges: true)
      return scan.pieces()
    }
  }

  /// The placeholders of a translation that differ from those of its source text.
  package struct Difference: Hashable, Sendable {
    /// The placeholders of the source text that the translation lacks, as they are written.
    package var missing: [String] = []
    /// The placeholders that only the translation has, as they are written.
    package var unknown: [String] = []
  }

  /// Returns the difference of a translation's placeholders from those of the source text; `nil` if
  /// there is none.
  ///
  /// Order and number of occurrences do not matter. If `mayLackCount` is true, the translation may
  /// lack the number of a plural, as in “One rose”.
  package func difference(from source: Placeholders, mayLackCount: Bool = false) -> Difference? {
    if all.isEmpty, source.all.isEmpty { return nil }
    let (own, others) = (Set(all), Set(source.all))
    let excused = mayLackCount ? source.count : nil
    var difference = Difference()
    difference.missing = source.all.filter { !own.contains($0) && $0 != excused }.map(\.spelling)
    difference.unknown = all.filter { !others.contains($0) }.map(\.spelling)
    return difference.missing.isEmpty && difference.unknown.isEmpty ? nil : difference
  }

  /// `true` if a placeholder is surely a number: it has the name `count` or is a whole number.
  package var hasNumber: Bool { all.contains { $0.isNamedCount || $0.isInteger } }

  /// The placeholder for the number of a plural: the one named `count`, else the first whole
  /// number, else the only one.
  package var count: Placeholder? {
    all.first(where: \.isNamedCount) ?? all.first(where: \.isInteger)
      ?? (all.count == 1 ? all.first : nil)
  }
}
