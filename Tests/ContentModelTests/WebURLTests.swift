import ContentModel
import Testing

@Suite struct WebURLTests {
  @Test(arguments: [
    ("shop.example", true), ("127.0.0.1:8080", true), ("my_host:1", true), ("[::1]", true),
    ("[::1]:65535", true), ("", false), (":80", false), ("a:", false), ("a:0", false),
    ("a:65536", false), ("a:+80", false), ("a:80:80", false), ("a:99999999999999999999", false),
    ("[::1", false), ("[::1]80", false), ("[x y]", false), ("a b", false), ("me@a", false),
    ("::1", false),
  ])
  func acceptsHostsAndPorts(authority: String, isRight: Bool) {
    #expect(WebURL.isAuthority(authority[...]) == isRight)
    #expect(WebURL.isPlain("https://\(authority)/v1") == isRight)
    #expect(WebURL.isPlain("http://\(authority)") == isRight)
  }
}
