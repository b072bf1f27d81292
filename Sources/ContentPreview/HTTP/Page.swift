import ContentModel
import ContentSource
import SharedGzip

/// The application in the browser, as one response that loads nothing from other servers.
struct Page: Sendable {
  private let fields: [(name: String, value: String)]
  private let bytes: [UInt8]
  /// The bytes as gzip; `nil` if they cannot be compressed.
  private let compressed: [UInt8]?
  private let text: String
  /// The policy, without the directives that only a field of a response can have.
  private let policy: String

  /// Creates the page from `index`, in which files replace lines such as
  /// `<!-- style: page.css -->` and `<!-- script: reader.js -->`.
  ///
  /// No other script or style runs: the policy names each file's hash (CSP level 3, section 2.3.1).
  init(index: String, files: [String: String]) {
    var text = ""
    /// The hashes of the files.
    var styles: [String] = []
    var scripts: [String] = []
    for line in index.split(separator: "\n", omittingEmptySubsequences: false) {
      if let file = Self.placeholder(in: line, kind: "style").flatMap({ files[$0] }) {
        text += "<style>\(file)</style>\n"
        styles.append(Self.hash(file))
      } else if let file = Self.placeholder(in: line, kind: "script").flatMap({ files[$0] }) {
        text += "<script>\(file)</script>\n"
        scripts.append(Self.hash(file))
      } else {
        text += line + "\n"
      }
    }
    policy = Self.policy(styles: styles, scripts: scripts)
    fields = [
      ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
      ("content-security-policy", "\(policy); frame-ancestors 'none'"),
      ("x-frame-options", "DENY"), ("vary", "accept-encoding"),
    ]
    self.text = text
    bytes = Array(text.utf8)
    compressed = try? GzipCompressor().compress(bytes)
  }

  /// Returns the page, as gzip if the request accepts it.
  func response(to request: PreviewRequest) -> PreviewResponse {
    guard let compressed, AcceptedEncodings(request["accept-encoding"]).prefersGzip else {
      return PreviewResponse(.ok, fields: fields, body: .bytes(bytes))
    }
    return PreviewResponse(
      .ok, fields: fields + [("content-encoding", "gzip")], body: .bytes(compressed))
  }

  /// The bytes of the page of an exported preview.
  ///
  /// A plain file server sends no policy, so the page has its own, before any script or style.
  var exported: [UInt8] {
    let first = "<meta charset=\"utf-8\">"
    let metas = [
      first, "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">",
      "<meta name=\"referrer\" content=\"no-referrer\">",
      "<meta name=\"robots\" content=\"noindex\">",
    ]
    let marked = text.replacing(
      "<html lang=", with: "<html data-exported lang=", maxReplacements: 1)
    let metaLines = metas.joined(separator: "\n")
    return Array(marked.replacing(first, with: metaLines, maxReplacements: 1).utf8)
  }

  private static func policy(styles: [String], scripts: [String]) -> String {
    let sources = { (hashes: [String]) in
      hashes.isEmpty ? "'none'" : hashes.joined(separator: " ")
    }
    return """
      default-src 'none'; script-src \(sources(scripts)); style-src \(sources(styles)); \
      connect-src 'self'; img-src 'self' blob: data:; media-src 'self'; \
      base-uri 'none'; form-action 'none'
      """
  }

  private static func placeholder(in line: Substring, kind: String) -> String? {
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
