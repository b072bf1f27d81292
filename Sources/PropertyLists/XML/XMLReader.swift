import ContentModel

/// A reader of Apple's XML format: elements, text, comments, CDATA and the predefined entities.
///
/// The reader ignores the document type. It refuses what readers of XML refuse, so that two readers
/// of one signed file never disagree.
struct XMLReader: TextReader, ~Copyable {
  var scan: TextScan
  var containers: ContainerStack

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, valueLimit: Int
  ) throws(TextMistake) -> Value {
    var reader = XMLReader(try openScan(of: bytes), valueLimit: valueLimit)
    try reader.readDeclaration()
    try reader.skipBlanks()
    try reader.skipDocumentType()
    try reader.skipBlanks()
    guard try reader.readStart(expecting: "<plist>", where: { $0 == .plist }).hasContent else {
      throw reader.failure(.expected("a value"))
    }
    try reader.readElement(depth: 0)
    try reader.skipBlanks()
    try reader.readEnd(of: .plist)
    try reader.skipBlanks()
    guard reader.scan.isAtEnd else { throw reader.failure(.expected("the end of the input")) }
    return reader.containers.takeLast()
  }

  private init(_ scan: TextScan, valueLimit: Int) {
    self.scan = scan
    containers = ContainerStack(for: scan.raw, valueLimit: valueLimit)
  }

  private mutating func readElement(depth: Int) throws(TextMistake) {
    try skipBlanks()
    try countValue()
    let start = scan.offset
    let (element, hasContent) = try readStart(expecting: "a value", where: { $0.isValue })
    switch element {
    case .dict: try readDictionary(hasContent: hasContent, depth: depth, from: start)
    case .array: try readArray(hasContent: hasContent, depth: depth, from: start)
    case .string: containers.push(.string(hasContent ? try readText(to: .string) : ""))
    default: containers.push(try readScalar(element, hasContent: hasContent))
    }
  }

  private mutating func readArray(
    hasContent: Bool, depth: Int, from start: Int
  ) throws(TextMistake) {
    guard hasContent else { return containers.push(.array([])) }
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep, at: start) }
    let mark = containers.mark
    try skipBlanks()
    while !scan.starts(with: "</") {
      try readElement(depth: depth + 1)
      try skipBlanks()
    }
    try readEnd(of: .array)
    containers.endArray(since: mark)
  }

  private mutating func readDictionary(
    hasContent: Bool, depth: Int, from start: Int
  ) throws(TextMistake) {
    guard hasContent else { return containers.push(.dictionary(Members())) }
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep, at: start) }
    let mark = containers.mark
    try skipBlanks()
    while !scan.starts(with: "</") {
      let start = scan.offset
      let hasContent = try readStart(expecting: "<key>", where: { $0 == .key }).hasContent
      if hasContent {
        try readKey(at: start, since: mark)
      } else {
        containers.pushKey("", at: start)
      }
      try readElement(depth: depth + 1)
      try skipBlanks()
    }
    try readEnd(of: .dict)
    try endDictionary(since: mark)
  }
}
