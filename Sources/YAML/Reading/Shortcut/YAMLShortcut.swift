import ContentModel
import Diagnostics

/// The reader of YAML's plainest forms, several times as fast as libyaml; nearly all content has
/// these forms.
///
/// It reads block mappings and lists, flow collections within a line, keys and values within a
/// line, quotes without escapes, and block scalars without blank lines. It stops at any other form
/// and at errors, and libyaml then reads the file from its beginning. The result is always equal to
/// libyaml's.
struct YAMLShortcut {
  var builder: YAMLBuilder
  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte.
  var at = 0
  /// The number of spaces before the next content, if the content begins a line.
  private var indent = 0

  /// Reads a file as a tree; returns `nil` if libyaml must read it.
  static func read(
    _ text: YAMLText, bytes: UnsafeBufferPointer<UInt8>, reader: YAMLReader, path: String
  ) -> YAMLNode? {
    // With a line feed at the end, a loop within a line needs no check for the end of the file.
    guard text.standIns.isEmpty, bytes.last == 0x0A, !bytes.contains(0x0D) else { return nil }
    let builder = YAMLBuilder(reader: reader, text: text, bytes: bytes, path: path)
    var shortcut = YAMLShortcut(builder: builder, bytes: bytes)
    guard shortcut.beginLine(), shortcut.indent == 0, shortcut.readBlock(column: 0),
      shortcut.at == bytes.count
    else {
      return nil
    }
    let read = shortcut.builder.finish()
    return read.diagnostics.isEmpty ? read.output : nil
  }

  private init(builder: YAMLBuilder, bytes: UnsafeBufferPointer<UInt8>) {
    (self.builder, self.bytes) = (builder, bytes)
  }

  /// Moves to the next line that is neither empty nor a comment; returns `false` at a line that
  /// libyaml must read.
  ///
  /// At the end of the file, `indent` is -1.
  private mutating func beginLine() -> Bool {
    while at < bytes.count {
      let start = at
      while bytes[at] == 0x20 { at += 1 }
      indent = at - start
      switch bytes[at] {
      case 0x0A: at += 1
      case UInt8(ascii: "#"):
        guard indent == 0 || isPlainComment else { return false }
        skipLine()
      case UInt8(ascii: "%"): return false
      // libyaml passes over a byte-order mark at the start of a line.
      case 0xEF where indent == 0: return bytes[at + 1] != 0xBB || bytes[at + 2] != 0xBF
      case UInt8(ascii: "-"), UInt8(ascii: "."): return indent > 0 || bytes[at + 1] != bytes[at]
      default: return true
      }
    }
    indent = -1
    return true
  }

  private mutating func skipLine() {
    while bytes[at] != 0x0A { at += 1 }
    at += 1
  }

  /// Ends a value's line and begins the next; returns `false` if libyaml must read one of them.
  ///
  /// After the value, only a comment is allowed.
  private mutating func endLine() -> Bool {
    let end = at
    while bytes[at] == 0x20 { at += 1 }
    guard bytes[at] == 0x0A || (bytes[at] == UInt8(ascii: "#") && at > end && isPlainComment) else {
      return false
    }
    skipLine()
    return beginLine()
  }

  /// `true` if a comment was surely not meant as text.
  private var isPlainComment: Bool {
    let next = bytes[at + 1]
    return next == 0x20 || next == 0x0A || next == UInt8(ascii: "#")
  }

  // MARK: Blocks

  /// Reads a mapping or a list up to a line that is indented less.
  private mutating func readBlock(column: Int) -> Bool {
    isItem ? readList(column: column) : readMapping(column: column)
  }

  /// A Boolean value that indicates whether the item of a list begins here.
  private var isItem: Bool {
    bytes[at] == UInt8(ascii: "-") && (bytes[at + 1] == 0x20 || bytes[at + 1] == 0x0A)
  }

  private mutating func readMapping(column: Int) -> Bool {
    guard builder.openBlock(.mapping, at: at) else { return false }
    repeat {
      guard let key = readKey() else { return false }
      builder.attach(key, height: 0, end: key.writtenEnd)
      guard readValue(column: column) else { return false }
    } while indent == column && at < bytes.count
    guard indent < column else { return false }
    builder.closeLastFrame(atByte: nil)
    return true
  }

  private mutating func readList(column: Int) -> Bool {
    guard builder.openBlock(.sequence, at: at) else { return false }
    repeat {
      let dash = at
      guard bytes[at + 1] == 0x20 else { return false }
      at += 1
      while bytes[at] == 0x20 { at += 1 }
      let inner = column + at - dash
      if beginsMapping {
        guard readMapping(column: inner), indent <= column else { return false }
      } else {
        guard readInline(), endLine(), indent <= column else { return false }
      }
    } while indent == column && at < bytes.count && isItem
    builder.closeLastFrame(atByte: nil)
    return true
  }

  /// A Boolean value that indicates whether a key begins here; its bytes are read again as a key.
  private var beginsMapping: Bool {
    var probe = self.at
    switch bytes[probe] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let end = quotedEnd(from: probe) else { return false }
      return bytes[end] == UInt8(ascii: ":") && (bytes[end + 1] == 0x20 || bytes[end + 1] == 0x0A)
    case UInt8(ascii: "["), UInt8(ascii: "{"): return false
    default: break
    }
    while bytes[probe] != 0x0A {
      if bytes[probe] == UInt8(ascii: ":"), bytes[probe + 1] == 0x20 || bytes[probe + 1] == 0x0A {
        return true
      }
      if bytes[probe] == 0x20, bytes[probe + 1] == UInt8(ascii: "#") { return false }
      probe += 1
    }
    return false
  }

  /// Reads a key and its colon.
  private mutating func readKey() -> YAMLRow? {
    let start = at
    let row = bytes[at].isQuote ? readQuoted() : readPlain(inFlow: false)
    guard let row, bytes[at] == UInt8(ascii: ":"), at - start < 250 else { return nil }
    at += 1
    return bytes[at] == 0x20 || bytes[at] == 0x0A ? row : nil
  }

  /// Reads the value of a key in a mapping at a column.
  private mutating func readValue(column: Int) -> Bool {
    let afterColon = at
    while bytes[at] == 0x20 { at += 1 }
    switch bytes[at] {
    case 0x0A, UInt8(ascii: "#"): break
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      return readBlockScalar(column: column) && indent <= column
    default: return readInline() && endLine() && indent <= column
    }
    guard endLine() else { return false }
    if indent > column { return readBlock(column: indent) && indent <= column }
    if indent == column, at < bytes.count, isItem { return readList(column: column) }
    guard let null = YAMLRow(textAt: afterColon, count: 0, isQuoted: false) else { return false }
    builder.attach(null, height: 0, end: afterColon)
    return true
  }

  /// Reads a scalar or a flow collection within a line.
  private mutating func readInline() -> Bool {
    switch bytes[at] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return readFlow()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return attach(readQuoted())
    // A colon after the text would make it a key, and this place has no keys.
    default: return attach(readPlain(inFlow: false)) && bytes[at] != UInt8(ascii: ":")
    }
  }

  private mutating func attach(_ row: YAMLRow?) -> Bool {
    guard let row else { return false }
    builder.attach(row, height: 0, end: row.writtenEnd)
    return true
  }

  /// Reads a block scalar whose lines have equal indentation and are not empty.
  private mutating func readBlockScalar(column: Int) -> Bool {
    let start = at
    let isFolded = bytes[at] == UInt8(ascii: ">")
    at += 1
    let isStripped = bytes[at] == UInt8(ascii: "-")
    if isStripped { at += 1 }
    guard bytes[at] == 0x0A else { return false }
    at += 1
    let first = bytes.count + builder.decoded.count
    let inner = spaces()
    guard inner > column else { return false }
    var end = start
    while at < bytes.count, spaces() == inner {
      if end > start { builder.decoded.append(isFolded ? 0x20 : 0x0A) }
      let line = at + inner
      at = line
      while bytes[at] != 0x0A { at += 1 }
      guard at > line, bytes[line] != 0x09, !bytes[at - 1].isWhitespace else { return false }
      builder.decoded.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[line..<at]))
      end = at
      at += 1
    }
    guard end > start else { return false }
    if !isStripped { builder.decoded.append(0x0A) }
    let left = at < bytes.count ? spaces() : 0
    guard left <= column,
      at == bytes.count || (bytes[at + left] != 0x0A && bytes[at + left] != UInt8(ascii: "#"))
    else { return false }
    let row = builder.detailed(
      .scalar, at: start..<end, content: first..<bytes.count + builder.decoded.count)
    builder.attach(row, height: 0, end: end)
    return beginLine()
  }

  /// Returns the number of spaces here.
  private func spaces() -> Int {
    var end = at
    while end < bytes.count, bytes[end] == 0x20 { end += 1 }
    return end - at
  }
}
