import ContentModel

/// A web page of a Markdown text, for the web view of an app.
///
/// The page runs no script and loads nothing but images of its own origin, which its content
/// security policy enforces. Equal texts give equal bytes.
package enum MarkdownPage {
  /// The inline style; the policy allows only its hash.
  static let style = """
    :root{color-scheme:light dark;--text:#1f2328;--quiet:#59636e;--line:#d1d9e0;--back:#fff;\
    --code:#f3f5f7;--link:#0550ae}
    @media(prefers-color-scheme:dark){:root{--text:#e6edf3;--quiet:#9198a1;--line:#3d444d;\
    --back:#0d1117;--code:#1c2128;--link:#79b8ff}}
    body{margin:0;background:var(--back);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;\
    -webkit-text-size-adjust:100%;overflow-wrap:break-word}
    main{max-width:42rem;margin:0 auto;padding:1.25rem}
    h1,h2,h3,h4{line-height:1.25;margin:1.6em 0 .6em}
    h1{font-size:1.75em}h2{font-size:1.4em}h3{font-size:1.2em}h4{font-size:1em}
    main>:first-child{margin-top:0}
    p,ul,ol,pre,blockquote,.table{margin:0 0 1em}
    ul,ol{padding-inline-start:1.6em}li>*{margin-bottom:.4em}
    blockquote{border-inline-start:.25em solid var(--line);padding-inline-start:1em;\
    color:var(--quiet)}
    a{color:var(--link)}img{max-width:100%;height:auto}
    code{direction:ltr;unicode-bidi:isolate;font:.9em ui-monospace,monospace;background:var(--code);\
    border-radius:.25em;padding:.1em .3em}
    pre{direction:ltr;text-align:left;background:var(--code);border-radius:.4em;padding:.8em 1em;\
    overflow-x:auto}
    pre code{background:none;padding:0}
    hr{border:0;border-top:1px solid var(--line);margin:2em 0}
    .table{overflow-x:auto}table{border-collapse:collapse}
    th,td{border:1px solid var(--line);padding:.4em .7em;text-align:start;vertical-align:top}
    .left{text-align:left}.center{text-align:center}.right{text-align:right}
    """

  /// The content security policy.
  static let policy: String = {
    let hash = Digest(of: Array(style.utf8)).bytes.base64
    return "default-src 'none'; img-src 'self'; style-src 'sha256-\(hash)'; base-uri 'none'; "
      + "form-action 'none'"
  }()

  /// Returns the HTML of a page.
  ///
  /// A link to an entry is `entry:product/rose`, which the app that shows the page intercepts.
  /// Its title is its first heading, or else its first line. The language is a tag of BCP 47.
  /// `imageAddress` returns the address of an asset by its path below `assets/`.
  package static func html(
    of text: MarkdownText, language: String, isRightToLeft: Bool,
    imageAddress: @escaping (String) -> String
  ) -> String {
    var page = PageWriter(imageAddress: imageAddress)
    page.begin("html", with: ["lang": language, "dir": isRightToLeft ? "rtl" : "ltr"])
    page.addMarkup("\n<head>\n")
    page.addMeta(["charset": "utf-8"])
    page.addMeta(["name": "viewport", "content": "width=device-width, initial-scale=1"])
    page.addMeta(["http-equiv": "Content-Security-Policy", "content": policy])
    page.addMeta(["name": "color-scheme", "content": "light dark"])
    page.addMeta(["name": "referrer", "content": "no-referrer"])
    if let title = firstHeading(of: text) ?? firstLine(of: text) {
      page.begin("title")
      page.addText(title)
      page.end("title")
      page.addMarkup("\n")
    }
    page.addStyle(style)
    page.addMarkup("</head>\n<body>\n<main>\n")
    page.add(text.blocks)
    page.addMarkup("</main>\n</body>\n</html>\n")
    return "<!doctype html>\n" + page.html
  }

  private static func firstLine(of text: MarkdownText) -> String? {
    text.plain.split(separator: "\n").first.map { String($0.prefix(80)) }
  }

  private static func firstHeading(of text: MarkdownText) -> String? {
    for case .heading(_, let runs) in text.blocks {
      let title = MarkdownText.plain(runs)
      if !title.isEmpty { return title }
    }
    return nil
  }
}
