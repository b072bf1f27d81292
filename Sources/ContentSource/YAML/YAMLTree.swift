import Diagnostics
import Synchronization

/// All nodes of one file, in compact arrays: a scalar that decodes to what is written costs 8 bytes, and no object.
///
/// A class, because thousands of node handles share it and a handle must copy as one reference.
final class YAMLTree: Sendable {
  let path: String
  /// The file as libyaml saw it, and after it what those scalars decode to that are written otherwise.
  let bytes: [UInt8]
  /// Nodes, those of one collection next to each other, keys and values in turn; after all nodes, their details.
  let rows: [YAMLRow]
  private let sourceCount: Int
  private let firstDetail: Int
  /// Made for the first message about the file.
  private let lines = Mutex<YAMLLines?>(nil)

  init(path: String, source: [UInt8], decoded: [UInt8], nodes: [YAMLRow], details: [YAMLRow]) {
    self.path = path
    (sourceCount, firstDetail) = (source.count, nodes.count)
    bytes = decoded.isEmpty ? source : .joining(source, decoded)
    rows = .joining(nodes, details)
  }

  /// Where a node's text is in `bytes`; nothing for a collection.
  func text(of row: YAMLRow) -> Range<Int> {
    if row.isAsWritten { return row.writtenText }
    return row.kind == .scalar ? detail(1, of: row).range : 0..<0
  }

  /// Where the members or items of a collection are in `rows`.
  func slots(of row: YAMLRow) -> Range<Int> {
    row.kind == .scalar ? 0..<0 : detail(1, of: row).range
  }

  /// The bytes of the file that a node stands in.
  func span(of row: YAMLRow) -> Range<Int> {
    row.isAsWritten ? row.writtenSpan : detail(0, of: row).range
  }

  private func detail(_ step: Int, of row: YAMLRow) -> YAMLRow { rows[firstDetail + Int(row.place) + step] }

  /// The lines and columns of a stretch of the file.
  func range(of span: Range<Int>) -> SourceRange {
    bytes.withUnsafeBufferPointer { bytes in
      let source = UnsafeBufferPointer(rebasing: bytes[..<sourceCount])
      return lines.withLock { lines in
        let known = lines ?? YAMLLines(source)
        lines = known
        return SourceRange(
          known.mark(at: span.lowerBound, in: source).position, known.mark(at: span.upperBound, in: source).position)
      }
    }
  }
}

extension Array {
  /// Both in an array without room to grow: what stays for the whole build should not.
  fileprivate static func joining(_ first: [Element], _ second: [Element]) -> [Element] {
    Array(unsafeUninitializedCapacity: first.count + second.count) { buffer, count in
      count = buffer.initialize(fromContentsOf: first)
      count += buffer[count...].initialize(fromContentsOf: second) - count
    }
  }
}
