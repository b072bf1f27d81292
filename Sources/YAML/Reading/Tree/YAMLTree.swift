import ContentModel
import Diagnostics
import Synchronization
import SystemC

/// The nodes of one file in compact rows: a scalar whose value is its source text takes 4 bytes,
/// and no object.
///
/// A class, because thousands of node handles share it and a handle must copy as one reference.
/// Unchecked, since nothing changes after `init` but what the mutex guards.
final class YAMLTree: @unchecked Sendable {
  let path: ExactString
  /// The file as libyaml read it, followed by the decoded texts of scalars that differ from their
  /// source.
  ///
  /// Lives as long as the tree; so do the rows.
  let bytes: UnsafeBufferPointer<UInt8>
  private let rows: YAMLRows
  /// The memory of the bytes and the rows.
  private let region: YAMLRegion
  private let sourceCount: UInt32
  /// `true` if the file has a `%`, or a name in braces, as placeholders have.
  let mayHavePlaceholders: Bool
  /// `true` if the file has a sign that texts for readers seldom have: a backslash, an entity or a
  /// comment of HTML, or a zero-width space.
  let mayHaveOddSigns: Bool
  /// The lines of the file, computed for its first message.
  private let lines = Mutex<YAMLLines?>(nil)

  init(
    path: ExactString, source: [UInt8], decoded: [UInt8], nodes: [YAMLRow], details: [YAMLRow],
    in store: YAMLStore
  ) {
    self.path = path
    sourceCount = UInt32(source.count)
    let packed = YAMLRows.packed(nodes)
    let (rowSize, byteCount) = (
      YAMLRows.size(nodes, packed: packed, details: details), source.count + decoded.count
    )
    let room = store.room(rowSize + byteCount)
    region = room.region
    rows = YAMLRows(nodes, packed: packed, details: details, at: room.start)
    let start = (room.start + rowSize).bindMemory(to: UInt8.self, capacity: byteCount)
    let bytes = UnsafeMutableBufferPointer(start: start, count: byteCount)
    _ = bytes[bytes.initialize(fromContentsOf: source)...].initialize(fromContentsOf: decoded)
    self.bytes = UnsafeBufferPointer(bytes)
    mayHavePlaceholders = self.bytes.mayHavePlaceholders
    mayHaveOddSigns = self.bytes.mayHaveOddSigns
  }

  /// One node; the index is one that another node or the reader gave.
  subscript(index: Int) -> YAMLRow { rows[index] }

  /// The place of a node's text in `bytes`; empty for a collection.
  func text(of row: YAMLRow) -> Range<Int> {
    row.kind == .scalar ? content(of: row) : 0..<0
  }

  /// The indices of a collection's members or items among the nodes of the tree.
  func slots(of row: YAMLRow) -> Range<Int> {
    row.kind == .scalar ? 0..<0 : content(of: row)
  }

  private func content(of row: YAMLRow) -> Range<Int> {
    row.hasDetails ? detail(1, of: row).range : row.content
  }

  /// The bytes of the file that a node occupies.
  func span(of row: YAMLRow) -> Range<Int> { start(of: row)..<end(of: row) }

  private func start(of row: YAMLRow) -> Int {
    if row.hasDetails { return detail(0, of: row).range.lowerBound }
    let first = row.content.lowerBound
    return (row.kind == .scalar ? first : start(of: self[first])) - row.margin.before
  }

  private func end(of row: YAMLRow) -> Int {
    if row.hasDetails { return detail(0, of: row).range.upperBound }
    let end = row.content.upperBound
    return (row.kind == .scalar ? end : self.end(of: self[end - 1])) + row.margin.behind
  }

  private func detail(_ step: Int, of row: YAMLRow) -> YAMLRow {
    rows.detail(Int(row.place) + step)
  }

  /// The lines and columns of a stretch of the file.
  func range(of span: Range<Int>) -> SourceRange {
    let source = UnsafeBufferPointer(rebasing: bytes[..<Int(sourceCount)])
    return lines.withLock { lines in
      let known = lines ?? YAMLLines(source)
      lines = known
      return SourceRange(
        from: known.mark(at: span.lowerBound, in: source).position,
        to: known.mark(at: span.upperBound, in: source).position)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// `true` if there is a `%`, or a name in braces; a mapping in braces has a colon or a space.
  fileprivate var mayHavePlaceholders: Bool {
    guard let start = baseAddress else { return false }
    if memchr(start, Int32(UInt8(ascii: "%")), count) != nil { return true }
    var place = 0
    while place < count,
      let brace = memchr(start + place, Int32(UInt8(ascii: "{")), count - place)
    {
      let first = UnsafeRawPointer(start).distance(to: brace) + 1
      place = self[first...].firstIndex { !$0.isOfName } ?? count
      if place > first, place < count, self[place] == UInt8(ascii: "}") { return true }
    }
    return false
  }

  fileprivate var mayHaveOddSigns: Bool {
    guard let start = baseAddress else { return false }
    if memchr(start, Int32(UInt8(ascii: "\\")), count) != nil { return true }
    if memchr(start, Int32(UInt8(ascii: "&")), count) != nil { return true }
    return hasSequence("<!--") || hasSequence("\u{200B}") || hasSequence("\u{FEFF}")
  }

  /// Returns `true` if the bytes of a text occur; the first byte should be rare, for a fast search.
  private func hasSequence(_ text: StaticString) -> Bool {
    guard let start = baseAddress else { return false }
    let sequence = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var place = 0
    while place < count, let found = memchr(start + place, Int32(sequence[0]), count - place) {
      place = UnsafeRawPointer(start).distance(to: found)
      if self[place...].starts(with: sequence) { return true }
      place += 1
    }
    return false
  }
}

extension UInt8 {
  /// `true` for a byte of the name of a placeholder.
  fileprivate var isOfName: Bool { isAlphanumeric || self >= 0x80 || "_.-".utf8.contains(self) }
}
