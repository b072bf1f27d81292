import Diagnostics

/// A converter of offsets to lines and columns.
///
/// It stores the mark of every 256th byte, and counts from the nearest of these marks.
struct YAMLLines {
  private static let step = 256
  private var marks: [(offset: Int, mark: YAMLMark)] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var mark = YAMLMark(line: 0, column: 0)
    for offset in bytes.indices {
      if bytes[offset].isContinuation { continue }
      if offset >= marks.count * Self.step { marks.append((offset, mark)) }
      mark.pass(bytes[offset], before: offset + 1 < bytes.count ? bytes[offset + 1] : nil)
    }
  }

  /// Returns the line and the column of a byte.
  ///
  /// An offset past the end is in the line after the last one, where libyaml ends a file.
  func mark(at wanted: Int, in bytes: UnsafeBufferPointer<UInt8>) -> YAMLMark {
    let end = min(wanted, bytes.count)
    var (offset, mark) = nearest(before: end)
    while offset < end {
      if !bytes[offset].isContinuation {
        mark.pass(bytes[offset], before: offset + 1 < bytes.count ? bytes[offset + 1] : nil)
      }
      offset += 1
    }
    return wanted > bytes.count ? YAMLMark(line: mark.line + 1, column: 0) : mark
  }

  private func nearest(before end: Int) -> (offset: Int, mark: YAMLMark) {
    guard !marks.isEmpty else { return (0, YAMLMark(line: 0, column: 0)) }
    let index = min(end / Self.step, marks.count - 1)
    return marks[index].offset <= end || index == 0 ? marks[index] : marks[index - 1]
  }
}

/// A place in the file as libyaml counts: lines and columns from 0, in Unicode scalars.
struct YAMLMark: Comparable {
  var line: UInt32
  var column: UInt32

  var position: SourcePosition { SourcePosition(line: Int(line) + 1, column: Int(column) + 1) }

  static func < (a: YAMLMark, b: YAMLMark) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// Returns the span of `length` scalars from the mark on, in one line.
  func span(_ length: Int) -> YAMLSpan {
    YAMLSpan(start: self, end: YAMLMark(line: line, column: column + UInt32(length)))
  }

  /// Moves past a scalar that begins with a byte; a line ends with LF, CR LF or CR.
  mutating func pass(_ byte: UInt8, before next: UInt8?) {
    if byte == 0x0A || (byte == 0x0D && next != 0x0A) {
      self = YAMLMark(line: line + 1, column: 0)
    } else {
      column += 1
    }
  }
}

/// The part of a file from one mark up to another, without the latter.
struct YAMLSpan {
  var start: YAMLMark
  var end: YAMLMark

  var range: SourceRange { SourceRange(from: start.position, to: end.position) }
}
