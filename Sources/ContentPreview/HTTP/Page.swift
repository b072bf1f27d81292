import ContentModel
import ContentSource

/// The application that a browser shows, as one answer that fetches nothing from elsewhere.
struct Page: Sendable {
  let response: PreviewResponse

  /// Puts files into `index`, in place of lines such as `<!-- style: page.css -->` and `<!--
  /// script: reader.js -->`.
  ///
  /// Only what is put in may run: the policy names each by its hash (CSP level 3, section 2.3.1).
  init(index: String, files: [String: String]) {
    var (text, styles, scripts) = ("", [String](), [String]())
    for line in index.split(separator: "\n", omittingEmptySubsequences: false) {
      if let file = Self.placeholder(line, "style").flatMap({ files[$0] }) {
        text += "<style>\(file)</style>\n"
        styles.append(Self.hash(file))
      } else if let file = Self.placeholder(line, "script").flatMap({ files[$0] }) {
        text += "<script>\(file)</script>\n"
        scripts.append(Self.hash(file))
      } else {
        text += line + "\n"
      }
    }
    response = PreviewResponse(
      .ok,
      [
        ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
        ("content-security-policy", Self.policy(styles: styles, scripts: scripts)),
        ("x-frame-options", "DENY"),
      ], .bytes(Array(text.utf8)))
  }

  private static func policy(styles: [String], scripts: [String]) -> String {
    let sources = { (hashes: [String]) in hashes.isEmpty ? "'none'" : hashes.joined(separator: " ")
    }
    return """
      default-src 'none'; script-src \(sources(scripts)); style-src \(sources(styles)); connect-src 'self'; \
      img-src 'self' blob: data:; media-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'
      """
  }

  private static func placeholder(_ line: Substring, _ kind: String) -> String? {
    let (start, end) = ("<!-- \(kind): ", " -->")
    let line = line.drop { $0 == " " }
    guard line.hasPrefix(start), line.hasSuffix(end), line.count > start.count + end.count else {
      return nil
    }
    return String(line.dropFirst(start.count).dropLast(end.count))
  }

  private static func hash(_ text: String) -> String {
    "'sha256-\(Digest(of: Array(text.utf8)).bytes.base64)'"
  }
}
