import Testing
import XML

@Suite struct XMLTreeTests {
  @Test func readsAnswersOfS3() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- a list --><List xmlns="http://s3.amazonaws.com/doc/2006-03-01/" a='>'><Empty/><Key >a&amp;b&#x20;&lt;&#246;</Key>
        <Owner><ID/><!-- none --></Owner><Key>c&quot;&apos;&gt;</Key></List>

      """
    let root = try #require(XMLTree(Array(text.utf8)))
    #expect(root.name == "List" && root.children.map(\.name) == ["Empty", "Key", "Owner", "Key"])
    #expect(root.children.map(\.text) == ["", "a&b <ö", "", "c\"'>"])
    #expect(root["Owner"]?["ID"]?.text == "" && root["None"] == nil)
  }

  @Test(arguments: [
    ("\u{FEFF}<a>b</a>", "b"), ("<a>b<c/>d</a>", "bd"), ("<a><![CDATA[<b>&]]></a>", "<b>&"),
    ("<a>b<?c d?></a>", "b"), ("<p:a xmlns:p='urn:x'>b</p:a>", "b"), ("<a>🌷&#x1F337;</a>", "🌷🌷"),
  ])
  func readsOtherPartsOfXML(text: String, expected: String) throws {
    let root = try #require(XMLTree(Array(text.utf8)))
    #expect(root.name == "a" && root.text == expected)
  }

  @Test(arguments: [
    "", "text", "<a>", "<a></b>", "<a></a><b/>", "<a></a>text", "<a b></a>", "<a b=c/>",
    "<a b='c/>", "<a b='c' b='d'/>", "<p:a/>", "<a>&unknown;</a>", "<a>&#xD800;</a>",
    "<a>&#x110000;</a>", "<a>&#99999999999999999999;</a>", "<a>& </a>", "<a>\u{1}</a>",
    "<a><!-- </a>", "<?xml <a/>", "<?xml version='1.0' encoding='latin1'?><a/>",
  ])
  func refusesMalformedXML(text: String) { #expect(XMLTree(Array(text.utf8)) == nil) }

  @Test(arguments: [
    "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
    "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
    "<!DOCTYPE a [<!ENTITY % b SYSTEM 'http://localhost/'> %b;]><a/>",
  ])
  func refusesDocumentTypes(text: String) { #expect(XMLTree(Array(text.utf8)) == nil) }

  @Test func refusesEntitiesThatExpandExponentially() {
    var text = "<!DOCTYPE a [<!ENTITY b0 'laugh'>"
    for level in 1...30 {
      let references = String(repeating: "&b\(level - 1);", count: 10)
      text += "<!ENTITY b\(level) '\(references)'>"
    }
    let elapsed = ContinuousClock().measure {
      #expect(XMLTree(Array((text + "]><a>&b30;</a>").utf8)) == nil)
    }
    #expect(elapsed < .seconds(5), "\(elapsed)")
  }

  @Test func refusesTruncatedOrDeeplyNestedXML() {
    let text = Array("<?xml version='1.0'?><a><b c='d'>e&amp;f</b><g/></a>".utf8)
    for end in 0..<text.count { #expect(XMLTree(Array(text[..<end])) == nil, "\(end)") }
    #expect(XMLTree(text) != nil)
    func nested(_ depth: Int) -> [UInt8] {
      let tags = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
      return Array(tags.utf8)
    }
    #expect(XMLTree(nested(32)) != nil && XMLTree(nested(33)) == nil)
    #expect(XMLTree(Array(String(repeating: "<a>", count: 1_000_000).utf8)) == nil)
  }

  /// XML 1.0 forbids references to control characters, but S3 writes them in the keys of other
  /// programs.
  @Test func replacesReferencesToControlCharacters() throws {
    let text = "<List><Key>a&#x1;b&#31;&amp;</Key><Key>c&#9;&#xD;&#38;#1;</Key></List>"
    let root = try #require(XMLTree(Array(text.utf8)))
    #expect(root.children.map(\.text) == ["a\u{FFFD}b\u{FFFD}&", "c\t\r&#1;"])
  }

  /// XML 1.0 forbids these characters, but the keys of other programs can contain them.
  @Test func replacesNoncharactersAndTheirReferences() throws {
    let text =
      "<List><Key>a\u{FFFE}b\u{FFFF}c</Key><Key>&#xFFFE;&#xffff;&#65534;&#65535;</Key>"
      + "<Key>\u{FFFD}\u{FEFF}\u{FFEF}&#xFFFD;&#x1FFFE;</Key></List>"
    let root = try #require(XMLTree(Array(text.utf8)))
    #expect(
      root.children.map(\.text) == [
        "a\u{FFFD}b\u{FFFD}c", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
        "\u{FFFD}\u{FEFF}\u{FFEF}\u{FFFD}\u{1FFFE}",
      ])
  }

  @Test(arguments: [[0xC0, 0x80], [0xFF], [0xE2, 0x82], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func refusesBytesThatAreNotUTF8(bytes: [UInt8]) {
    #expect(XMLTree(Array("<a>".utf8) + bytes + Array("</a>".utf8)) == nil)
  }
}
