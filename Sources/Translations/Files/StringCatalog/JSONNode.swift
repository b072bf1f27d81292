import ContentModel
import Diagnostics

/// A JSON value with its place.
struct JSONNode {
  /// The parts that string catalogs have; numbers and `null` are kept as `other`.
  enum Content {
    case string(String)
    case boolean(Bool)
    case object([JSONMember])
    case array
    case other
  }

  var content: Content
  var place: SourceLocation

  /// The text, if the value is a string.
  var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The members in their order, if the value is an object.
  var members: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// Returns the member with a key.
  subscript(key: String) -> JSONMember? { members?.first { $0.key == key } }
}

/// A key with its place, and its value.
struct JSONMember {
  var key: String
  var place: SourceLocation
  var value: JSONNode
}

/// A strict reader of JSON (RFC 8259) that keeps the places of values: no comments, no trailing
/// commas, no duplicate keys, no lone surrogates.
struct JSONParsing {
  private var input: TextInput
  private var offset = 0
  private var scratch: [UInt8] = []
  /// The key of a string catalog that was begun last.
  private var entry: (offset: Int, key: String?)?
  /// `false` while the end of a damaged entry is searched: places take time.
  private var hasPlaces = true

  /// The greatest depth of values.
  private static let depthLimit = 64

  /// A mistake in the JSON of a key, and the key if it can be read.
  struct Damage {
    var problem: TranslationProblem
    var key: String?
  }

  /// Reads a string catalog.
  ///
  /// The value of a key that is not well-formed is replaced by spaces, and the others are read.
  static func parseCatalog(
    _ input: TextInput
  ) throws(TranslationProblem) -> (root: JSONNode, damaged: [Damage]) {
    var (rest, damaged): (TextInput, [Damage]) = (input, [])
    while true {
      var parsing = JSONParsing(input: rest)
      do throws(TranslationProblem) {
        return (try parsing.readDocument(), damaged)
      } catch {
        // Further mistakes may follow from the first one.
        guard damaged.count < input.mostDamagedUnits, let entry = parsing.entry,
          let range = parsing.rangeOfDamagedEntry(at: entry.offset)
        else { throw damaged.first?.problem ?? error }
        damaged.append(Damage(problem: error, key: entry.key))
        // After a trailing comma, the entry begins where the object ends.
        let others = min(entry.offset + 1, range.upperBound)..<range.upperBound
        damaged += parsing.lostEntries(in: others)
        rest.blank(range)
      }
    }
  }

  private init(input: TextInput) { self.input = input }

  private mutating func readDocument() throws(TranslationProblem) -> JSONNode {
    let node = try readValue(depth: 0)
    skipWhitespace()
    guard current == nil else { throw expected("the end of the file") }
    return node
  }

  private mutating func place(from start: Int, to end: Int) -> SourceLocation {
    hasPlaces ? input.location(from: start, to: end) : SourceLocation(path: input.path)
  }

  private var current: UInt8? { offset < input.bytes.count ? input.bytes[offset] : nil }

  private mutating func readValue(
    depth: Int, isStrings: Bool = false
  ) throws(TranslationProblem) -> JSONNode {
    skipWhitespace()
    let start = offset
    guard depth < Self.depthLimit else {
      throw problem("values must be at most \(Self.depthLimit) deep", at: offset)
    }
    // The place of an object is its opening brace: a whole object is too much to underline, and
    // places are looked up in the order of the file.
    switch current {
    case UInt8(ascii: "{"):
      let place = place(from: start, to: start + 1)
      let members = try readObject(depth: depth, isStrings: isStrings)
      return JSONNode(content: .object(members), place: place)
    case UInt8(ascii: "["):
      let place = place(from: start, to: start + 1)
      try readArray(depth: depth)
      return JSONNode(content: .array, place: place)
    case UInt8(ascii: "\""):
      let text = try readString()
      return JSONNode(content: .string(text), place: place(from: start, to: offset))
    default:
      let content = try readWord()
      return JSONNode(content: content, place: place(from: start, to: offset))
    }
  }

  private mutating func readObject(
    depth: Int, isStrings: Bool
  ) throws(TranslationProblem) -> [JSONMember] {
    offset += 1
    var members: [JSONMember] = []
    var known: Set<ExactString> = []
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipWhitespace()
      let start = offset
      if isStrings { entry = (start, nil) }
      guard current == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
      let key = try readString()
      if isStrings { entry = (start, key) }
      let place = place(from: start, to: offset)
      guard known.insert(key) else {
        throw problem("key '\(key.shortened)' must occur once", at: start)
      }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { throw expected("':'") }
      let value = try readValue(depth: depth + 1, isStrings: depth == 0 && key == "strings")
      members.append(JSONMember(key: key, place: place, value: value))
      skipWhitespace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw expected("',' or '}'") }
    return members
  }

  private mutating func readArray(depth: Int) throws(TranslationProblem) {
    offset += 1
    skipWhitespace()
    if take(UInt8(ascii: "]")) { return }
    repeat {
      _ = try readValue(depth: depth + 1)
      skipWhitespace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw expected("',' or ']'") }
  }

  private mutating func readWord() throws(TranslationProblem) -> JSONNode.Content {
    if take("true") { return .boolean(true) }
    if take("false") { return .boolean(false) }
    if take("null") { return .other }
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try skipDigits() }
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
      try skipDigits()
    }
    return .other
  }

  private mutating func skipDigits() throws(TranslationProblem) {
    guard current?.isDigit == true else { throw expected("a value") }
    while current?.isDigit == true { offset += 1 }
  }

  // MARK: Strings

  private mutating func readString() throws(TranslationProblem) -> String {
    offset += 1
    scratch.removeAll(keepingCapacity: true)
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: scratch, as: UTF8.self)
      case UInt8(ascii: "\\"): scratch += String(try readEscape()).utf8
      case 0..<0x20:
        throw problem(
          "a string must not contain a line end or another control character", at: offset,
          advice: byte == 0x0A ? "write '\\n'" : "write it as an escape, such as '\\t'")
      default:
        scratch.append(byte)
        offset += 1
      }
    }
    throw expected("'\"' at the end of the string")
  }

  private mutating func readEscape() throws(TranslationProblem) -> Unicode.Scalar {
    let start = offset
    offset += 2
    switch offset <= input.bytes.count ? input.bytes[offset - 1] : nil {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUTF16(from: start)
    default: throw badEscape(at: start)
    }
  }

  private mutating func readUTF16(from start: Int) throws(TranslationProblem) -> Unicode.Scalar {
    let first = try readHexadecimal(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else { throw badEscape(at: start) }
    let second = try readHexadecimal(from: start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw badEscape(at: start) }
    return scalar
  }

  private mutating func readHexadecimal(from start: Int) throws(TranslationProblem) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = current?.hexadecimalValue else { throw badEscape(at: start) }
      number = number << 4 | UInt32(digit)
      offset += 1
    }
    return number
  }

  // MARK: Damaged entries

  /// The most bytes that are read to find the end of a damaged entry: a bound for hostile files.
  private static let mostSearchedBytes = 4 << 20

  /// Returns the bytes of an entry of `strings` that cannot be read, with the comma after it or, for
  /// the last entry, before it; `nil` if its end is not found.
  private func rangeOfDamagedEntry(at start: Int) -> Range<Int>? {
    var search = self
    search.hasPlaces = false
    if let next = search.nextEntry(after: start) { return start..<next }
    // The last entry: the comma is before it, and the object ends after it.
    let before = input.bytes[..<start].lastIndex { !$0.isWhitespace } ?? start
    let begin = before < start && input.bytes[before] == UInt8(ascii: ",") ? before : start
    var end = input.bytes.count
    for _ in 0..<Self.depthLimit {
      guard let close = input.bytes[start..<end].lastIndex(of: UInt8(ascii: "}")) else {
        return nil
      }
      if search.endsCatalog(at: close) { return begin < close ? begin..<close : nil }
      end = close
    }
    return nil
  }

  /// Returns the keys between a damaged entry and the next one that can be read.
  ///
  /// Ids of the content have a `#`; keys inside a value, such as `localizations`, have none.
  private func lostEntries(in range: Range<Int>) -> [Damage] {
    var search = self
    var damaged: [Damage] = []
    search.offset = range.lowerBound
    while let quote = input.bytes[search.offset..<range.upperBound].firstIndex(
      of: UInt8(ascii: "\""))
    {
      search.offset = quote
      let key = try? search.readString()
      let end = search.offset
      search.skipWhitespace()
      guard let key, key.utf8.contains(UInt8(ascii: "#")), search.take(UInt8(ascii: ":")) else {
        search.offset = min(quote + 1, range.upperBound)
        continue
      }
      let problem = TranslationProblem(
        "the file must be well-formed JSON around this text",
        at: search.place(from: quote, to: end))
      damaged.append(Damage(problem: problem, key: key))
      search.offset = min(search.offset, range.upperBound)
    }
    return damaged
  }

  private mutating func nextEntry(after start: Int) -> Int? {
    var (next, budget) = (start + 1, Self.mostSearchedBytes)
    while budget > 0, next < input.bytes.count,
      let quote = input.bytes[next...].firstIndex(of: UInt8(ascii: "\""))
    {
      if isEntry(at: quote) { return quote }
      budget -= max(offset, quote + 1) - next
      next = quote + 1
    }
    return nil
  }

  /// Returns `true` if a key with the members of a string catalog's keys is at an offset.
  private mutating func isEntry(at start: Int) -> Bool {
    offset = start
    guard (try? readString()) != nil else { return false }
    skipWhitespace()
    guard take(UInt8(ascii: ":")), let value = try? readValue(depth: 2) else { return false }
    skipWhitespace()
    let known = ["comment", "extractionState", "localizations", "shouldTranslate"]
    return known.contains { value[$0] != nil }
      && (current == UInt8(ascii: ",") || current == UInt8(ascii: "}"))
  }

  /// Returns `true` if `strings` ends at an offset, and the file after its other members.
  private mutating func endsCatalog(at start: Int) -> Bool {
    offset = start + 1
    skipWhitespace()
    while take(UInt8(ascii: ",")) {
      skipWhitespace()
      guard current == UInt8(ascii: "\""), (try? readString()) != nil else { return false }
      skipWhitespace()
      guard take(UInt8(ascii: ":")), (try? readValue(depth: 1)) != nil else { return false }
      skipWhitespace()
    }
    guard take(UInt8(ascii: "}")) else { return false }
    skipWhitespace()
    return current == nil
  }

  // MARK: Bytes and problems

  private mutating func skipWhitespace() {
    while current?.isWhitespace == true { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    offset += 1
    return true
  }

  private mutating func take(_ word: String) -> Bool {
    guard input.bytes[min(offset, input.bytes.count)...].starts(with: word.utf8) else {
      return false
    }
    offset += word.utf8.count
    return true
  }

  private mutating func badEscape(at start: Int) -> TranslationProblem {
    problem("an escape must be one of JSON", at: start, advice: #"write a backslash as '\\'"#)
  }

  private mutating func expected(_ thing: String) -> TranslationProblem {
    let end = current == nil ? " before the end of the file" : ""
    return problem("the file must be well-formed JSON: expected \(thing)\(end)", at: offset)
  }

  private mutating func problem(_ message: String, at offset: Int, advice: String? = nil)
    -> TranslationProblem
  {
    TranslationProblem(message, at: place(from: offset, to: offset), advice: advice)
  }
}
