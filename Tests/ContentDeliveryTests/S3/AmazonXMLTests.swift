import Testing

@testable import HTTPTransport

@Suite struct AmazonXMLTests {
  @Test func readsAnswersOfS3() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- a list --><List xmlns="http://s3.amazonaws.com/doc/2006-03-01/" a='>'><Empty/><Key >a&amp;b&#x20;&lt;&#246;</Key>
        <Owner><ID/><!-- none --></Owner><Key>c&quot;&apos;&gt;</Key></List>

      """
    let root = try #require(AmazonXML(Array(text.utf8)))
    #expect(root.name == "List" && root.children.map(\.name) == ["Empty", "Key", "Owner", "Key"])
    #expect(root.children.map(\.text) == ["", "a&b <ö", "", "c\"'>"])
    #expect(root["Owner"]?["ID"]?.text == "" && root["None"] == nil)
  }

  @Test(arguments: [
    "", "text", "<a>", "<a></b>", "<a></a><b/>", "<a></a>text", "<a b></a>", "<a b=c/>",
    "<a b='c/>",
    "<a>&unknown;</a>",
    "<a>&#xD800;</a>", "<a>& </a>", "<!DOCTYPE a><a/>", "<a><![CDATA[x]]></a>", "<a><?b?></a>",
    "<a><!-- </a>",
    "<?xml <a/>",
  ])
  func refusesUnsupportedXML(text: String) { #expect(AmazonXML(Array(text.utf8)) == nil) }

  @Test func refusesTruncatedOrDeeplyNestedXML() {
    let text = Array("<?xml version='1.0'?><a><b c='d'>e&amp;f</b><g/></a>".utf8)
    for end in 0..<text.count { #expect(AmazonXML(Array(text[..<end])) == nil, "\(end)") }
    #expect(AmazonXML(text) != nil)
    let deep = String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)
    #expect(AmazonXML(Array(deep.utf8)) == nil)
  }
}
