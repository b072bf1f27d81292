import ContentModel
import Diagnostics

/// A writer of XLIFF 1.2 with the elements, attributes and indentation of Xcode.
struct XLIFFWriter {
  private var output: [UInt8] = []

  /// The type of the `<context>` elements for the places that show a text.
  static let whereUsedContext = "x-where-used"

  /// Returns the bytes of a file that has only characters of XML.
  mutating func write(_ file: TranslationFile) -> [UInt8] {
    line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", depth: 0)
    line(
      "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.2\""
        + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" version=\"1.2\""
        + " xsi:schemaLocation=\"urn:oasis:names:tc:xliff:document:1.2"
        + " http://docs.oasis-open.org/xliff/v1.2/os/xliff-core-1.2-strict.xsd\">", depth: 0)
    line(
      "<file original=\"content\" source-language=\"\(file.sourceLocale)\""
        + " target-language=\"\(file.targetLocale)\" datatype=\"plaintext\">", depth: 1)
    line("<header>", depth: 2)
    // The version is left out, so that equal content gives equal files.
    line("<tool tool-id=\"contentc\" tool-name=\"contentc\"/>", depth: 3)
    line("</header>", depth: 2)
    line("<body>", depth: 2)
    for unit in file.units { write(unit) }
    line("</body>", depth: 2)
    line("</file>", depth: 1)
    line("</xliff>", depth: 0)
    return output
  }

  private mutating func write(_ unit: TranslationUnit) {
    begin("<trans-unit", depth: 3)
    attribute("id", value: unit.id.text)
    if let length = unit.maximumLength {
      attribute("maxwidth", value: String(length))
      attribute("size-unit", value: "char")
    }
    attribute("xml:space", value: "preserve")
    output += ">\n".utf8
    element("source", text: unit.source)
    if let target = unit.target {
      begin("<target", depth: 4)
      attribute("state", value: TranslationFormat.xliff.name(of: unit.state))
      output += ">".utf8
      escape(target)
      output += "</target>\n".utf8
    }
    if let note = unit.note { element("note", text: note) }
    if !unit.whereUsed.isEmpty {
      line("<context-group purpose=\"information\">", depth: 4)
      for place in unit.whereUsed {
        begin("<context", depth: 5)
        attribute("context-type", value: Self.whereUsedContext)
        output += ">".utf8
        escape(place)
        output += "</context>\n".utf8
      }
      line("</context-group>", depth: 4)
    }
    line("</trans-unit>", depth: 3)
  }

  private mutating func element(_ name: String, text: String) {
    begin("<\(name)>", depth: 4)
    escape(text)
    output += "</\(name)>\n".utf8
  }

  private mutating func begin(_ text: String, depth: Int) {
    for _ in 0..<depth { output += "  ".utf8 }
    output += text.utf8
  }

  private mutating func line(_ text: String, depth: Int) {
    begin(text, depth: depth)
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func attribute(_ name: String, value: String) {
    output += " \(name)=\"".utf8
    escape(value, isAttribute: true)
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a text with escapes.
  ///
  /// Readers of XML change a literal CR in a text, and literal tabs and line ends in an attribute.
  /// These characters are written as numbers.
  private mutating func escape(_ text: String, isAttribute: Bool = false) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case 0x0D: output += "&#13;".utf8
      case UInt8(ascii: "\"") where isAttribute: output += "&quot;".utf8
      case 0x09 where isAttribute: output += "&#9;".utf8
      case 0x0A where isAttribute: output += "&#10;".utf8
      default: output.append(byte)
      }
    }
  }
}
