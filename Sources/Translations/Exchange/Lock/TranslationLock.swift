package import ContentModel
package import ContentSource
package import Diagnostics

/// The source text that each translation was made from: the file `translations.lock`.
///
/// Each line has a unit, a locale, the hash of the source text and the hash of the translation,
/// with tabs between them. Lines are sorted by unit and locale. `-` instead of the first hash marks
/// a translation that needs a review. A hash is the first 64 bits of SHA-256, which is enough to
/// notice a change.
package struct TranslationLock: Sendable {
  /// The name of the file, beside `content.yaml`.
  package static let fileName = ContentFolder.translationLock

  /// A translation at the time of its last import or acceptance.
  package struct Row: Hashable, Sendable {
    /// The hash of the source text; `nil` if the translation needs a review.
    var source: UInt64?
    /// The hash of the translation.
    var target: UInt64

    /// Creates the row of a translation; without a source text, the translation needs a review.
    package init(source: String?, target: String) {
      self.source = source.map(Self.hash)
      self.target = Self.hash(target)
    }

    fileprivate init(source: UInt64?, target: UInt64) {
      (self.source, self.target) = (source, target)
    }

    /// Returns `true` if the translation was made from another text than the current one.
    package func isOutdated(source text: String) -> Bool { source != Self.hash(text) }

    /// Returns `true` if the translation is not the recorded one.
    package func isOfOther(target text: String) -> Bool { target != Self.hash(text) }

    /// The first 64 bits of the text's SHA-256.
    private static func hash(_ text: String) -> UInt64 {
      Digest(of: Array(text.utf8)).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private struct Key: Hashable, Comparable {
    var unit: ExactString
    var locale: LocaleTag

    static func < (a: Key, b: Key) -> Bool {
      a.unit == b.unit ? a.locale < b.locale : a.unit < b.unit
    }
  }

  private var rows: [Key: Row] = [:]
  /// The rows of keys that occur several times in the file, for example after a merge.
  private var alternatives: [Key: [Row]] = [:]
  /// The bytes of the file that the lock was read from; `nil` for a new lock.
  package private(set) var file: [UInt8]?

  package init() {}

  /// The number of translations.
  package var count: Int { rows.count }

  /// The row of a unit and a locale.
  package subscript(unit: ExactString, locale: LocaleTag) -> Row? {
    get { rows[Key(unit: unit, locale: locale)] }
    set { rows[Key(unit: unit, locale: locale)] = newValue }
  }

  /// `true` if the file has several rows of a unit and a locale.
  var hasAlternatives: Bool { !alternatives.isEmpty }

  /// Chooses among several rows of a translation the row of the present texts.
  ///
  /// After a merge, the lock has a row of each side, but the content has the translation of only
  /// one side. Chooses the first row with the hashes of the present source text and translation. If
  /// no row has both, chooses the last row with the hash of the translation. If no row has that,
  /// keeps the last row.
  mutating func choose(_ unit: ExactString, _ locale: LocaleTag, source: String, target: String) {
    let key = Key(unit: unit, locale: locale)
    guard let rows = alternatives.removeValue(forKey: key) else { return }
    let fitting = rows.filter { !$0.isOfOther(target: target) }
    let current = fitting.first { !$0.isOutdated(source: source) }
    if let chosen = current ?? fitting.last { self.rows[key] = chosen }
  }

  /// Removes the rows of units and locales that a closure refuses.
  package mutating func keep(where isKept: (_ unit: ExactString, _ locale: LocaleTag) -> Bool) {
    rows = rows.filter { isKept($0.key.unit, $0.key.locale) }
  }

  // MARK: The file

  /// The bytes of the file.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
      let parts = [key.unit.text, key.locale.identifier, row.source?.hex ?? "-", row.target.hex]
      bytes += "\(parts.joined(separator: "\t"))\n".utf8
    }
    return bytes
  }

  private mutating func add(_ row: Row, at key: Key) {
    if let earlier = rows[key], earlier != row {
      alternatives[key, default: [earlier]].append(row)
    }
    rows[key] = row
  }

  /// Reads a file, and reports each line that is not a row, such as a marker of an unfinished
  /// merge.
  ///
  /// With `mergesSides`, reads the rows of both sides of a merge instead.
  package static func decode(
    _ bytes: [UInt8], path: String, mergesSides: Bool = false
  ) -> Diagnosed<TranslationLock> {
    var lock = Diagnosed(TranslationLock())
    lock.output.file = bytes
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Between two further marks, git can show the rows as they were before both changes.
    var isBefore = false
    for (index, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.isEmpty { continue }
      let mark = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].first { line.starts(with: $0.utf8) }
      if mergesSides, let mark {
        isBefore = mark == "|||||||"
        continue
      }
      if isBefore { continue }
      let isMark = mark != nil
      let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      let range = SourceRange(
        from: SourcePosition(line: index + 1, column: 1),
        to: SourcePosition(line: index + 1, column: 2))
      let place = SourceLocation(path: path, range: range)
      guard parts.count == 4, let locale = LocaleTag(parts[1]), let target = UInt64(hex: parts[3]),
        parts[2] == "-" || UInt64(hex: parts[2]) != nil
      else {
        lock.diagnostics.append(
          .error(
            .translationLock, at: place,
            message: isMark
              ? "the file must not have the marks of an unfinished merge"
              : "a line must be a unit, a locale and two hashes, with tabs between them",
            notes: [
              .init(
                isMark
                  ? "'contentc translations lock' merges both sides"
                  : "delete the line, and run 'contentc translations lock'")
            ]))
        if isMark { return lock }
        continue
      }
      lock.output.add(
        Row(source: UInt64(hex: parts[2]), target: target),
        at: Key(unit: ExactString(parts[0]), locale: locale))
    }
    return lock
  }
}

extension UInt64 {
  fileprivate var hex: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  fileprivate init?(hex: String) {
    guard hex.utf8.count == 16, hex.utf8.allSatisfy(\.isLowerHexDigit) else { return nil }
    self.init(hex, radix: 16)
  }
}

extension UInt8 {
  fileprivate var isLowerHexDigit: Bool {
    (0x30...0x39).contains(self) || (0x61...0x66).contains(self)
  }
}

extension TranslationLock {
  /// Reads the lock of a content folder; `nil` if the folder has none.
  ///
  /// With `mergesSides`, the marks of an unfinished merge are no mistakes.
  package static func read(
    in folder: ContentFolder, mergesSides: Bool = false
  ) -> Diagnosed<TranslationLock?> {
    do {
      let bytes = try folder.read(fileName)
      let lock = decode(bytes, path: folder.shownPath(fileName), mergesSides: mergesSides)
      return Diagnosed(lock.output, diagnostics: lock.diagnostics)
    } catch {
      let isMissing = if case .missing = error { true } else { false }
      return Diagnosed(
        nil, diagnostics: isMissing ? [] : [error.diagnostic(at: folder.shownPath(fileName))])
    }
  }
}
