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

  /// The greatest depth of values.
  private static let depthLimit = 64

  /// Reads a document.
  static func parse(_ input: TextInput) throws(TranslationProblem) -> JSONNode {
    var parsing = JSONParsing(input: input)
    let node = try parsing.readValue(depth: 0)
    parsing.skipWhitespace()
    guard parsing.current == nil else { throw parsing.expected("the end of the file") }
    return node
  }

  private init(input: TextInput) { self.input = input }

  private var current: UInt8? { offset < input.bytes.count ? input.bytes[offset] : nil }

  private mutating func readValue(depth: Int) throws(TranslationProblem) -> JSONNode {
    skipWhitespace()
    let start = offset
    guard depth < Self.depthLimit else {
      throw problem("values must be at most \(Self.depthLimit) deep", at: offset)
    }
    // The place of an object is its opening brace: a whole object is too much to underline, and
    // places are looked up in the order of the file.
    switch current {
    case UInt8(ascii: "{"):
      let place = input.location(from: start, to: start + 1)
      return JSONNode(content: .object(try readObject(depth: depth)), place: place)
    case UInt8(ascii: "["):
      let place = input.location(from: start, to: start + 1)
      try readArray(depth: depth)
      return JSONNode(content: .array, place: place)
    case UInt8(ascii: "\""):
      let text = try readString()
      return JSONNode(content: .string(text), place: input.location(from: start, to: offset))
    default:
      let content = try readWord()
      return JSONNode(content: content, place: input.location(from: start, to: offset))
    }
  }

  private mutating func readObject(depth: Int) throws(TranslationProblem) -> [JSONMember] {
    offset += 1
    var members: [JSONMember] = []
    var known: Set<ExactString> = []
    skipWhitespace()
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipWhitespace()
      let start = offset
      guard current == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
      let key = try readString()
      let place = input.location(from: start, to: offset)
      guard known.insert(key) else {
        throw problem("key '\(key.shortened)' must occur once", at: start)
      }
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { throw expected("':'") }
      members.append(JSONMember(key: key, place: place, value: try readValue(depth: depth + 1)))
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
    TranslationProblem(message, at: input.location(from: offset, to: offset), advice: advice)
  }
}
