import ContentModel
import ContentSource
import PropertyLists

/// The texts of a maintenance: payloads for config, and responses for load balancers.
struct MaintenancePages: Sendable {
  /// The payload of every context.
  let payloads: [OutputObject]
  /// The files `maintenance/…`, for an origin that is down.
  let files: [OutputFile]
  /// The number of seconds after which a reader should ask again.
  let retryAfter: Int

  /// The largest response of some load balancers, in bytes (AWS ALB, fixed responses).
  static let smallestLimit = 1_024
  private static let defaultRetryAfter = 300

  init(of tree: ContentTree, by rules: ResolutionRules, at instant: Instant) throws {
    let (format, contexts) = (tree.project.format, rules.contexts)
    let values = contexts.indices.map {
      Self.payload(of: tree.maintenance, in: $0, by: rules, at: instant)
    }
    payloads = try values.map {
      OutputObject(
        bytes: try PropertyList.encode(.dictionary($0), as: format),
        fileExtension: format.fileExtension)
    }
    let general = contexts.indices.filter { contexts[$0].device == DeviceTree.root }
    let source = general.first { contexts[$0].locale == tree.project.locales.source }
    retryAfter = Self.seconds(source.map { values[$0] } ?? Members())
    var files: [OutputFile] = []
    for context in general {
      let name = "maintenance/\(contexts[context].locale)"
      let json = try PropertyList.encode(.dictionary(values[context]), as: .json)
      let plist = try PropertyList.encode(.dictionary(values[context]), as: .xml)
      files.append(
        OutputFile(path: "\(name).http", bytes: Self.answer(json, retryAfter: retryAfter)))
      files.append(OutputFile(path: "\(name).json", bytes: json))
      files.append(OutputFile(path: "\(name).plist", bytes: plist))
    }
    let ordered = general.sorted { a, _ in a == source }
    let texts = ordered.map { (contexts[$0].locale.identifier, values[$0]) }
    let any = OutputFile(
      path: "maintenance/any.json", bytes: try Self.smallest(texts, retryAfter: retryAfter))
    // `any` is also a language tag. The response of load balancers replaces the page of that
    // locale.
    self.files = files.filter { $0.path != any.path } + [any]
  }

  private static func payload(
    of entry: Entry?, in context: Int, by rules: ResolutionRules, at instant: Instant
  ) -> Members {
    var members = Members()
    if let entry, let resolved = rules.resolve(entry, in: context) {
      let circumstances = Circumstances(country: nil, version: nil, instant: instant)
      let evaluation = Evaluation(circumstances: circumstances, format: .json, assets: .none)
      if case .dictionary(let content) = evaluation.value(resolved.members) { members = content }
    }
    members["retryAfter"] = .integer(Int64(seconds(members)))
    return members
  }

  private static func seconds(_ members: Members) -> Int {
    if case .integer(let seconds)? = members["retryAfter"] {
      Int(seconds)
    } else {
      defaultRetryAfter
    }
  }

  /// A raw response for HAProxy's `errorfile` (RFC 9110, 15.6.4 and 10.2.3).
  private static func answer(_ json: [UInt8], retryAfter: Int) -> [UInt8] {
    let head = [
      "HTTP/1.1 503 Service Unavailable", "Content-Type: application/json; charset=utf-8",
      "Content-Length: \(json.count)", "Retry-After: \(retryAfter)", "Cache-Control: no-store",
      "Connection: close", "",
      "",
    ]
    return Array(head.joined(separator: "\r\n").utf8) + json
  }

  /// One small response for all locales: the source locale's text, then others up to the limit.
  private static func smallest(_ texts: [(locale: String, content: Members)], retryAfter: Int)
    throws -> [UInt8]
  {
    var (titles, messages) = (Members(), Members())
    func encoded(_ titles: Members, messages: Members) throws -> [UInt8] {
      var all = Members([("retryAfter", .integer(Int64(retryAfter)))])
      if !titles.isEmpty { all["title"] = .dictionary(titles) }
      if !messages.isEmpty { all["message"] = .dictionary(messages) }
      return try PropertyList.encode(.dictionary(all), as: .json)
    }
    let source = texts.first?.content
    for (index, (locale, content)) in texts.enumerated() {
      // Leaves room for locales that do not repeat the source locale's text.
      if index > 0, content == source { continue }
      var (moreTitles, moreMessages) = (titles, messages)
      if case .string? = content["title"] { moreTitles[locale] = content["title"] }
      if case .string? = content["message"] { moreMessages[locale] = content["message"] }
      if try encoded(moreTitles, messages: moreMessages).count <= smallestLimit {
        (titles, messages) = (moreTitles, moreMessages)
      } else if titles.isEmpty, messages.isEmpty,
        try encoded(moreTitles, messages: messages).count <= smallestLimit
      {
        // A title alone is better than nothing.
        titles = moreTitles
      }
    }
    return try encoded(titles, messages: messages)
  }
}
