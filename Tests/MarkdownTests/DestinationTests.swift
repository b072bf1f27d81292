import ContentModel
import Testing

@testable import Markdown

struct DestinationTests {
  @Test(arguments: [
    ("https://example.com", "https://example.com"),
    ("HTTPS://Example.com/A", "https://Example.com/A"),
    ("https://a.example:8080/ä?q=ü#f#g", "https://a.example:8080/%C3%A4?q=%C3%BC#f%23g"),
    ("https://a.example/%C3%A4", "https://a.example/%C3%A4"),
    ("https://a.example/{x}|[y]^`\"", "https://a.example/%7Bx%7D%7C%5By%5D%5E%60%22"),
    ("https://[::1]/", "https://[::1]/"), ("Mailto:a@b.example", "mailto:a@b.example"),
    ("tel:+49-30-123", "tel:+49-30-123"), ("tel:*100#", "tel:*100%23"),
  ])
  func takesAddresses(text: String, address: String) throws {
    #expect(try Destination(text).link() == .address(address))
  }

  @Test(arguments: ["product/rose", "page/terms/2026", "a/b-c"])
  func takesEntries(text: String) throws {
    #expect(try Destination(text).link() == EntryID(text).map { .entry($0) })
  }

  @Test(arguments: [
    ("", "such as product/rose"), ("http://a.example/x", "write https://a.example/x"),
    ("www.a.example", "write https://www.a.example"), ("a.example/x", "write https://a.example/x"),
    ("a.example:80/x", "write https://a.example:80/x"), ("//a.example", "write https://a.example"),
    ("javascript:alert(1)", "not to 'javascript:'"), ("JavaScript:x", "not to 'javascript:'"),
    ("data:text/html,x", "not to 'data:'"), ("ftp://a", "not to 'ftp:'"),
    ("entry:product/rose", "write product/rose"), ("/product/rose", "write product/rose"),
    ("../product/rose.html", "write product/rose"), ("Product/Rose", "write product/rose"),
    ("product/red_rose/", "write product/red-rose"), ("product/rose#care", "write product/rose"),
    ("content/entries/product/rose.yaml", "write product/rose"),
    ("rose", "write one such as product/rose"),
    ("#care", "a part of a page"), ("#\u{301}care", "a part of a page"),
    ("?a", "an entry's id, such as product/rose"),
    ("a@b.example", "write mailto:a@b.example"), ("+4930123", "write tel:+4930123"),
    ("https:/a.example", "write https://a.example"), ("https:a.example", "write https://a.example"),
    ("https://", "a host"), ("https://me@a.example", "a user's name"),
    ("https://ä.example", "xn--"), ("https://\u{301}a.example", "xn--"),
    ("https://a.example/a b", "%20"), ("https://a.example/%zz", "%25"), ("https://a\\b", "write /"),
    ("mailto:", "mailto:shop@example.com"), ("tel:", "tel:+4930123"), ("tel:abc", "tel:+4930123"),
    ("https://a.example/\u{202E}x", "U+202E"), ("java\u{1}script:x", "U+0001"),
    ("product/\u{200B}rose", "U+200B"), ("product/\u{FFFD}", "U+FFFD"),
    ("\u{A0}product/rose", "%20"),
    ("https://a.example/\u{85}", "U+0085"), ("https://a.example/\u{2028}", "U+2028"),
  ])
  func refusesOtherLinks(text: String, part: String) {
    let error = #expect(throws: Destination.Fault.self) { try Destination(text).link() }
    let message = error?.message ?? ""
    #expect(message.contains(part), "\(message)")
    #expect(
      !message.hasSuffix(".") && message.first?.isLowercase != false || message.hasPrefix("'"))
  }

  @Test(arguments: ["rose.png", "flowers/red rose.png", "flowers/röse.png", "a.b/c.d.png"])
  func takesAssets(text: String) throws {
    #expect(try Destination(text).asset() == text)
  }

  @Test(arguments: [
    ("", "such as flowers/rose.png"), ("https://a.example/b.png", "put its file into assets/"),
    ("data:image/png;base64,x", "put its file into assets/"),
    ("//a/b.png", "put its file into assets/"),
    ("/a/b.png", "write a/b.png"), ("./a.png", "write a.png"), ("../assets/a.png", "write a.png"),
    ("a/../b.png", "write a/b.png"), ("assets/a.png", "write a.png"), ("a\\b.png", "write a/b.png"),
    ("a//b.png", "write a/b.png"), ("a/", "write a"), ("..", "such as flowers/rose.png"),
    ("a\u{202E}gnp.exe", "U+202E"), ("a\u{FFFD}.png", "U+FFFD"),
  ])
  func refusesOtherImages(text: String, part: String) {
    let error = #expect(throws: Destination.Fault.self) { try Destination(text).asset() }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func shortensLongDestinationsInMessages() {
    for text in [
      "x\(String(repeating: "y", count: 9_999)):", "http:" + String(repeating: "z", count: 9_999),
    ] {
      let error = #expect(throws: Destination.Fault.self) { try Destination(text).link() }
      #expect((error?.message.utf8.count ?? 0) < 400)
    }
  }

  @Test func judgesTheDecodedDestination() {
    for text in ["javascript&colon;x", "java\\script:x", "&#106;avascript:x", "<javascript:x>"] {
      let problems = MarkdownText.parse("[a](\(text))").problems
      #expect(problems.map(\.rule) == [.link], "\(text)")
    }
  }
}
