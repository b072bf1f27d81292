/// A configuration file with placeholders in braces, such as `{{root}}`.
///
/// All lines of a value get the indentation of the placeholder's line. A line with a placeholder
/// whose value is `nil` is left out.
struct ServerTemplate {
  private let text: String

  init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

  /// Returns the text with values in place of the placeholders; an unknown placeholder remains.
  func filled(with values: [String: String?]) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      let margin = line.prefix { $0 == " " || $0 == "\t" }
      return Self.filled(line.dropFirst(margin.count), with: values)?.indented(by: String(margin))
    }.joined(separator: "\n")
  }

  /// Returns a line with values; `nil` if it is left out.
  private static func filled(
    _ line: Substring, with values: [String: String?]
  ) -> String? {
    var text = ""
    var rest = line
    while let start = rest.firstRange(of: "{{"), let end = rest.firstRange(of: "}}") {
      text += rest[..<start.lowerBound]
      switch values[String(rest[start.upperBound..<end.lowerBound])] {
      case .some(let value?): text += value
      case .some(nil): return nil
      case nil: text += rest[start.lowerBound..<end.upperBound]
      }
      rest = rest[end.upperBound...]
    }
    return text + rest
  }
}

extension ServerSettings {
  /// Returns a template with the settings, and with values of its own.
  func filled(
    _ template: [UInt8], before upstream: Upstream? = nil,
    with own: [String: String?] = [:]
  ) -> String {
    var values: [String: String?] = [
      "app": app, "root": root, "state": state, "flag": flag, "maintenance": maintenance,
      "listen": "\(listen)", "listenHost": listen.host, "listenPort": "\(listen.port)",
      "retryAfter": "\(retryAfter)", "purgers": purgers.joined(separator: " "),
      "prefix": prefix, "prefixPattern": prefix.escapedForPatterns, "plainPath": plainPath,
      "objects": ServedPaths.objects, "records": ServedPaths.records, "config": ServedPaths.config,
      "unfinished": ServedPaths.unfinished, "part": ServedPaths.part,
      "forever": ServedPaths.forever, "asked": ServedPaths.asked,
      "appSeconds": "\(lifetimes.app)", "edgeSeconds": "\(lifetimes.edge)",
      "staleWhileRevalidate": "\(lifetimes.staleWhileRevalidate)",
      "staleIfError": "\(lifetimes.staleIfError)", "originTimeout": "\(lifetimes.originTimeout)",
      // A proxy waits longer than the server that waits for the origin.
      "proxyTimeout": "\(lifetimes.originTimeout + 5)",
      "cacheControl": lifetimes.cacheControl, "cdnCacheControl": lifetimes.cdnCacheControl,
      "surrogateControl": sendsSurrogateControl ? lifetimes.surrogateControl : nil,
      "sourceLocale": languages.source, "languageTags": languages.alternatives,
      "languagePattern": languages.pattern,
    ]
    if let upstream {
      values["upstream"] = upstream.url
      values["upstreamScheme"] = upstream.scheme
      values["upstreamAddress"] = "\(upstream.address)"
      values["upstreamHost"] = upstream.address.host
      values["upstreamPort"] = "\(upstream.address.port)"
      values["hostHeader"] = upstream.hostHeader
    }
    return ServerTemplate(template).filled(with: values.merging(own) { $1 })
  }

  /// Returns lines that send a surrogate key in each header for caches that read one.
  func keyLines(_ key: String, _ line: (_ header: String, _ key: String) -> String) -> String {
    let lines = keyHeaders.map { line($0, key) }
    return (lines.isEmpty ? [] : ["# Surrogate keys, by which caches purge."] + lines)
      .joined(separator: "\n")
  }

  /// Returns a line for each language, in the order in which they are tried.
  func languageLines(_ line: (_ tag: String, _ locale: String) -> String) -> String {
    languages.rules.map { line($0.tag, $0.locale) }.joined(separator: "\n")
  }
}

extension String {
  /// Returns the text with a margin before every line that is not empty.
  func indented(by margin: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }
}
