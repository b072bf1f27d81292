import CExpat

/// A start tag.
package struct XMLStartTag {
  /// The namespace; empty if there is none.
  package var namespace: String
  /// The name without its prefix.
  package var name: String
  /// The names and values of attributes; a namespace and a line feed precede a name with a
  /// namespace.
  var attributes: [(name: String, value: String)]
  /// The bytes of the tag.
  package var bytes: Range<Int>

  /// Returns the value of an attribute without a namespace.
  package func attribute(_ name: String) -> String? {
    attributes.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

/// A receiver of the parts of an XML document, in their order.
package protocol XMLHandler {
  /// Receives a start tag. Returns `false` to end the reading.
  mutating func begin(_ tag: XMLStartTag) -> Bool
  /// Receives a part of a text or CDATA section. Expat may divide a text anywhere.
  mutating func add(_ text: UnsafeBufferPointer<UInt8>)
  /// Receives the end of an element; `offset` is that of the byte after its end tag.
  mutating func end(at offset: Int)
}

/// The reason why an XML document was not read to its end.
package struct XMLProblem {
  /// The rule that the document breaks.
  package var rule: String
  /// How to mend the document, where that is known.
  package var advice: String?
  /// The bytes that break the rule.
  package var bytes: Range<Int>
  /// `true` if the bytes are not well-formed, `false` if they exceed a limit or have a part that is
  /// refused.
  package var isMalformed = false
}

/// A reading of an XML document by expat.
///
/// Documents with a document type are refused, so that no entity is declared and none is expanded.
package struct XMLParsing {
  private let parser: XML_Parser
  private var handler: any XMLHandler
  private let bytes: [UInt8]
  private let depthLimit: Int
  private var depth = 0
  private var hasEnded = false
  private var problem: XMLProblem?

  /// The byte between a namespace and a name: neither can contain it.
  private static let separator: XML_Char = 0x0A

  /// Reads a document of UTF-8 without a byte-order mark.
  ///
  /// Returns the handler, and the problem that stopped the parsing. The problem is `nil` if the
  /// parsing reached the end of the document, or if the handler stopped it.
  package static func parse<Handler: XMLHandler>(
    _ bytes: [UInt8], depthLimit: Int, handler: Handler
  ) -> (handler: Handler, problem: XMLProblem?) {
    // The text is UTF-8 already, whatever encoding an XML declaration names.
    guard let parser = XML_ParserCreateNS("UTF-8", separator) else {
      return (handler, XMLProblem(rule: "the file must fit in memory", bytes: 0..<0))
    }
    defer { XML_ParserFree(parser) }
    var parsing = XMLParsing(parser, bytes: bytes, depthLimit: depthLimit, handler: handler)
    withUnsafeMutablePointer(to: &parsing) { parsing in
      XML_SetUserData(parser, parsing)
      install(in: parser)
      let status = bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          XML_Parse(parser, $0.baseAddress, CInt(clamping: $0.count), 1)
        }
      }
      if status == XML_STATUS_ERROR { parsing.pointee.reportExpatError() }
    }
    return (parsing.handler as? Handler ?? handler, parsing.problem)
  }

  private init(
    _ parser: XML_Parser, bytes: [UInt8], depthLimit: Int, handler: any XMLHandler
  ) {
    (self.parser, self.bytes, self.handler) = (parser, bytes, handler)
    self.depthLimit = depthLimit
  }

  /// Sets the functions that expat calls; each finds the parsing through the user data.
  private static func install(in parser: XML_Parser) {
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let name, let attributes else { return }
        XMLParsing.from(data)?.pointee.begin(name, attributes: attributes)
      },
      { data, _ in XMLParsing.from(data)?.pointee.end() })
    XML_SetCharacterDataHandler(parser) { data, text, count in
      XMLParsing.from(data)?.pointee.add(
        UnsafeBufferPointer(start: text, count: max(0, Int(count))))
    }
    XML_SetXmlDeclHandler(parser) { data, _, encoding, _ in
      guard let encoding else { return }
      XMLParsing.from(data)?.pointee.checkEncoding(String(cString: encoding))
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      XMLParsing.from(data)?.pointee.refuseDocumentType()
    }
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLParsing>? {
    data?.assumingMemoryBound(to: XMLParsing.self)
  }

  // MARK: Events

  /// The bytes of the current event.
  private var event: Range<Int> {
    let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
    return start..<start + max(0, Int(XML_GetCurrentByteCount(parser)))
  }

  private mutating func begin(
    _ name: UnsafePointer<XML_Char>,
    attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>
  ) {
    // After the handler has stopped it, expat may still report the rest of a tag.
    guard !hasEnded else { return }
    depth += 1
    guard depth <= depthLimit else {
      return refuse("elements must be at most \(depthLimit) deep", at: event)
    }
    let parts = String(cString: name).utf8.split(separator: 0x0A, maxSplits: 1)
    var tag = XMLStartTag(
      namespace: parts.count == 2 ? String(Substring(parts[0])) : "",
      name: String(Substring(parts.last ?? "".utf8[...])),
      attributes: [], bytes: event)
    var next = attributes
    while let name = next[0], let value = next[1] {
      tag.attributes.append((String(cString: name), String(cString: value)))
      next += 2
    }
    if !handler.begin(tag) { stop() }
  }

  private mutating func add(_ text: UnsafeBufferPointer<CChar>) {
    guard !hasEnded else { return }
    text.withMemoryRebound(to: UInt8.self) { handler.add($0) }
  }

  private mutating func end() {
    guard !hasEnded else { return }
    depth -= 1
    handler.end(at: event.upperBound)
  }

  /// Refuses encodings that the declaration names but the bytes do not have.
  private mutating func checkEncoding(_ name: String) {
    guard !["utf-8", "utf8", "utf-16", "us-ascii"].contains(name.lowercased()) else { return }
    let name = name.count > 80 ? name.prefix(79) + "…" : name[...]
    refuse(
      "the encoding must be UTF-8, not '\(name)'", at: event,
      advice: "save or export it as UTF-8")
  }

  // MARK: Problems

  private mutating func refuseDocumentType() {
    // Expat reports the event at the end of the declaration, or at its bracket.
    let end = min(event.lowerBound, bytes.count)
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "<")) ?? end
    refuse(
      "the file must have no document type", at: start..<end, advice: "remove '<!DOCTYPE …>'")
  }

  private mutating func refuse(_ rule: String, at bytes: Range<Int>, advice: String? = nil) {
    guard !hasEnded else { return }
    problem = XMLProblem(rule: rule, advice: advice, bytes: bytes)
    stop()
  }

  private mutating func stop() {
    hasEnded = true
    XML_StopParser(parser, XML_Bool(0))
  }

  private mutating func reportExpatError() {
    guard !hasEnded else { return }
    let code = XML_GetErrorCode(parser)
    let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
    let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "an unknown error"
    problem = XMLProblem(
      rule: "the file must be well-formed XML: \(reason)", advice: Self.advice(for: code),
      bytes: start..<start, isMalformed: true)
  }

  private static func advice(for code: XML_Error) -> String? {
    switch code {
    case XML_ERROR_UNDEFINED_ENTITY:
      "write the character itself, or its number, such as '&#160;'"
    case XML_ERROR_TAG_MISMATCH: "the end tag must have the name of the element that is open here"
    case XML_ERROR_INVALID_TOKEN: "in a text, write '&' as '&amp;' and '<' as '&lt;'"
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN: "the end of the file is missing"
    default: nil
    }
  }
}
