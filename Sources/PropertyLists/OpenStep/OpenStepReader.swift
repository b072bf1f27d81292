import ContentModel

/// A reader of the OpenStep text format and of `.strings` files, which are a dictionary's members
/// without braces.
struct OpenStepReader: TextReader, ~Copyable {
  var scan: TextScan
  var containers: ContainerStack

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, valueLimit: Int
  ) throws(TextMistake) -> Value {
    var reader = OpenStepReader(try openScan(of: bytes), valueLimit: valueLimit)
    try reader.skipBlanks()
    if reader.scan.isAtEnd { throw reader.failure(.empty) }
    let start = reader.scan.offset
    try reader.readValue(depth: 0)
    try reader.skipBlanks()
    let value = reader.containers.takeLast()
    if reader.scan.isAtEnd { return value }
    guard case .string = value, reader.startsMemberEnd else {
      throw reader.failure(.expected("the end of the input"))
    }
    reader.scan.offset = start
    try reader.readMembers(depth: 0)
    return reader.containers.takeLast()
  }

  private init(_ scan: TextScan, valueLimit: Int) {
    self.scan = scan
    containers = ContainerStack(for: scan.raw, valueLimit: valueLimit)
  }

  /// `true` if the string just read is the first key of a `.strings` file.
  private var startsMemberEnd: Bool {
    scan.current == UInt8(ascii: "=") || scan.current == UInt8(ascii: ";")
  }

  private mutating func readValue(depth: Int) throws(TextMistake) {
    try skipBlanks()
    try countValue()
    switch scan.current {
    case UInt8(ascii: "<"): containers.push(.data(try readData()))
    case UInt8(ascii: "("): try readArray(depth: depth)
    case UInt8(ascii: "{"): try readDictionary(depth: depth)
    default: containers.push(.string(try readString(expecting: "a value")))
    }
  }

  private mutating func readArray(depth: Int) throws(TextMistake) {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep) }
    let mark = containers.mark
    scan.offset += 1
    repeat {
      try skipBlanks()
      if scan.current == UInt8(ascii: ")") { break }
      try readValue(depth: depth + 1)
      try skipBlanks()
    } while scan.take(UInt8(ascii: ","))
    try expect(")", as: "',' or ')'")
    containers.endArray(since: mark)
  }

  private mutating func readDictionary(depth: Int) throws(TextMistake) {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep) }
    scan.offset += 1
    try readMembers(depth: depth)
    try expect("}", as: "a key or '}'")
  }

  /// Reads members up to a brace or the end; a key without a value, which `.strings` files can
  /// have, is its own value.
  private mutating func readMembers(depth: Int) throws(TextMistake) {
    let mark = containers.mark
    try skipBlanks()
    while let byte = scan.current, byte != UInt8(ascii: "}") {
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") {
        throw failure(.keyIsNotString)
      }
      try readKey(since: mark)
      try skipBlanks()
      if scan.take(UInt8(ascii: "=")) {
        try readValue(depth: depth + 1)
      } else {
        try countValue()
        containers.push(.string(containers.lastKey))
      }
      try skipBlanks()
      try expect(";", as: "';'")
      try skipBlanks()
    }
    try endDictionary(since: mark)
  }

  private mutating func readData() throws(TextMistake) -> [UInt8] {
    let start = scan.offset
    scan.offset += 1
    var data: [UInt8] = []
    while true {
      scan.skipWhitespace()
      if scan.isAtEnd { throw failure(.endOfInput) }
      if scan.take(">") { return data }
      guard let high = scan.current?.hexadecimalValue, let low = scan.peek(1)?.hexadecimalValue
      else {
        throw failure(.badData, at: start)
      }
      data.append(high << 4 | low)
      scan.offset += 2
    }
  }

  /// Advances past white space and comments.
  private mutating func skipBlanks() throws(TextMistake) {
    while let byte = scan.current {
      if byte > UInt8(ascii: "/") { return }
      if byte.isWhitespace || byte == 0x0B || byte == 0x0C {
        scan.offset += 1
      } else if scan.take("//") {
        while let byte = scan.current, byte != 0x0A, byte != 0x0D { scan.offset += 1 }
      } else if scan.starts(with: "/*") {
        let start = scan.offset
        scan.offset += 2
        guard scan.skip(past: "*/") else { throw failure(.expected("'*/' after this"), at: start) }
      } else {
        return
      }
    }
  }
}
