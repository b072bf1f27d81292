import CExpat
import Diagnostics
import SystemC

/// A start tag.
struct XMLStartTag {
  /// The namespace; empty if there is none.
  var namespace: String
  /// The name without its prefix.
  var name: String
  /// The names and values; a name in a namespace follows the namespace and a line feed.
  var attributes: [(name: String, value: String)]
  /// The bytes of the tag.
  var bytes: Range<Int>

  /// Returns the value of an attribute without a namespace.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// A receiver of the parts of an XML document, in their order.
protocol XMLHandler {
  /// Receives a start tag; may refuse the document.
  mutating func begin(_ tag: XMLStartTag) throws(TranslationProblem)
  /// Receives a part of a text or CDATA section. Expat divides a text as it likes.
  mutating func add(_ text: UnsafeBufferPointer<CChar>)
  /// Receives the end of an element; `offset` is that of the byte after its end tag.
  mutating func end(at offset: Int) throws(TranslationProblem)
}

/// A reading of an XML document by expat.
///
/// Documents with a document type are refused, so that no entity is declared and none is expanded.
struct XMLParsing {
  private let parser: XML_Parser
  private var handler: any XMLHandler
  private var input: TextInput
  private var depth = 0
  private var problem: TranslationProblem?
  /// The offset of the first byte that is not well-formed; `nil` if the handler or a limit ended the
  /// reading.
  private var mistake: Int?

  /// The greatest depth of elements.
  private static let depthLimit = 64
  /// The byte between a namespace and a name: neither can contain it.
  private static let separator: XML_Char = 0x0A

  /// Reads a document and returns its handler, the problem at which the reading ended, and the
  /// offset of that problem if the document is not well-formed.
  static func parse<Handler: XMLHandler>(_ input: TextInput, handler: Handler)
    -> (handler: Handler, problem: TranslationProblem?, mistake: Int?)
  {
    // The text is UTF-8 already, whatever encoding an XML declaration names.
    guard let parser = XML_ParserCreateNS("UTF-8", separator) else {
      let place = SourceLocation(path: input.path)
      return (handler, TranslationProblem("the file must fit in memory", at: place), nil)
    }
    defer { XML_ParserFree(parser) }
    var parsing = XMLParsing(parser, input: input, handler: handler)
    withUnsafeMutablePointer(to: &parsing) { parsing in
      XML_SetUserData(parser, parsing)
      install(in: parser)
      let status = input.bytes.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          XML_Parse(parser, $0.baseAddress, CInt(clamping: $0.count), 1)
        }
      }
      if status == XML_STATUS_ERROR { parsing.pointee.reportExpatError() }
    }
    return (parsing.handler as? Handler ?? handler, parsing.problem, parsing.mistake)
  }

  private init(_ parser: XML_Parser, input: TextInput, handler: any XMLHandler) {
    (self.parser, self.input, self.handler) = (parser, input, handler)
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
    // Expat may report the rest of a tag after it was stopped.
    guard problem == nil else { return }
    depth += 1
    guard depth <= Self.depthLimit else {
      return refuse("elements must be at most \(Self.depthLimit) deep", advice: nil)
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
    do { try handler.begin(tag) } catch { stop(error) }
  }

  private mutating func add(_ text: UnsafeBufferPointer<CChar>) {
    if problem == nil { handler.add(text) }
  }

  private mutating func end() {
    guard problem == nil else { return }
    depth -= 1
    do { try handler.end(at: event.upperBound) } catch { stop(error) }
  }

  /// Refuses encodings that the declaration names but the bytes do not have.
  private mutating func checkEncoding(_ name: String) {
    guard !["utf-8", "utf8", "utf-16", "us-ascii"].contains(name.lowercased()) else { return }
    refuse(
      "the encoding must be UTF-8, not '\(name.shortened)'", advice: "save or export it as UTF-8")
  }

  // MARK: Problems

  private mutating func refuse(_ message: String, advice: String?) {
    let place = input.location(from: event.lowerBound, to: event.upperBound)
    stop(TranslationProblem(message, at: place, advice: advice))
  }

  private mutating func refuseDocumentType() {
    // Expat reports the end of the declaration, or its bracket.
    let end = min(event.lowerBound, input.bytes.count)
    let start = input.bytes[..<end].lastIndex(of: UInt8(ascii: "<")) ?? end
    stop(
      TranslationProblem(
        "the file must have no document type", at: input.location(from: start, to: end),
        advice: "remove '<!DOCTYPE …>'"))
  }

  private mutating func stop(_ problem: TranslationProblem) {
    guard self.problem == nil else { return }
    self.problem = problem
    XML_StopParser(parser, XML_Bool(0))
  }

  private mutating func reportExpatError() {
    guard problem == nil else { return }
    let code = XML_GetErrorCode(parser)
    let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
    mistake = start
    let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "an unknown error"
    problem = TranslationProblem(
      "the file must be well-formed XML: \(reason)", at: input.location(from: start, to: start),
      advice: Self.advice(for: code))
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
