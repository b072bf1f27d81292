import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics

/// What programs ask, the page first of all: everything below `/api/` that is one JSON object.
struct PreviewAPI: Sendable {
  let source: PreviewSource
  let content: PreviewContent
  let facts: ConfigFacts
  let buildSizes: BuildSizes
  let kept: ResponseCache

  /// Those that are answered at once; others may have to wait for each other.
  static let quick = ["state", "explain", "qr"]

  /// The answer under a name; `isLocal` tells if a browser on this machine asks.
  func response(_ name: String, _ request: PreviewRequest, isLocal: Bool) throws(RequestError)
    -> PreviewResponse
  {
    switch name {
    case "state":
      _ = try request.parameters([])
      return .json(
        StateJSON(state: content.state, source: source, facts: facts, isLocal: isLocal).value)
    case "qr": return .json(try code(request))
    case "explain": return .json(.dictionary(try explanation(request)))
    case "fallbacks": return try fallbacks(request)
    case "coverage": return try coverage(request)
    case "schedule":
      _ = try request.parameters([])
      return try kept.response(name, request) { read in
        ScheduleJSON(
          generation: read.generation, now: source.now(), moments: schedule(of: read.tree)
        ).members
      }
    case "sizes": return .json(.dictionary(try sizes(request)))
    default: throw .nothingHere
    }
  }

  private func code(_ request: PreviewRequest) throws(RequestError) -> Value {
    let text = try request.parameters([], required: ["text"])["text"] ?? ""
    guard let code = QRCode(text) else {
      throw RequestError(.badRequest, "'text' must have at most \(QRCode.mostBytes) bytes")
    }
    return ["rows": strings(code.rows)]
  }

  private func explanation(_ request: PreviewRequest) throws(RequestError) -> Members {
    let asked = try request.parameters(
      ["locale", "device"] + Circumstances.parameters, required: ["entry"])
    let read = try content.read()
    let context = try PreviewContent.context(of: read.tree, asked["locale"], asked["device"])
    let circumstances = try Circumstances(asked, now: source.now())
    let text = asked["entry"] ?? ""
    let id = text == EntryID.maintenance.text ? .maintenance : EntryID(text)
    guard
      let explanation = id.flatMap({ explain($0, in: read.tree, context: context, circumstances) })
    else {
      throw RequestError(unknown: "entry", text, known: read.tree.entries.map(\.id.text), .notFound)
    }
    return read.marked(source.explanation(explanation))
  }

  private func fallbacks(_ request: PreviewRequest) throws(RequestError) -> PreviewResponse {
    let asked = try request.parameters(["locale", "device"] + Circumstances.parameters)
    let circumstances = try Circumstances(asked, now: source.now())
    return try kept.response("fallbacks", request) { read throws(RequestError) in
      let context = try PreviewContent.context(of: read.tree, asked["locale"], asked["device"])
      let entries = borrowedTexts(in: read.tree, context: context, circumstances).map { entry in
        (
          entry.id.text,
          Value.dictionary(Members(entry.texts.map { ($0.path, .string($0.locale.identifier)) }))
        )
      }
      return [
        "generation": .integer(Int64(read.generation)), "entries": .dictionary(Members(entries)),
      ]
    }
  }

  private func sizes(_ request: PreviewRequest) throws(RequestError) -> Members {
    let asked = try request.parameters(["a", "b"])
    let sizes = buildSizes.read()
    let page = SizesJSON(
      generation: content.state.generation, contexts: sizes.contexts, largest: sizes.largest)
    switch (asked["a"], asked["b"]) {
    case (let a?, let b?): return try page.members(sharing: a, with: b)
    case (nil, nil): return page.members
    default:
      throw RequestError(
        .badRequest, "'a' and 'b' must both be there, such as a=fr-CA/ipad&b=en/phone")
    }
  }

  private func coverage(_ request: PreviewRequest) throws(RequestError) -> PreviewResponse {
    let asked = try request.parameters(["locale", "datatype"])
    return try kept.response("coverage", request) { read throws(RequestError) in
      let scope = try Self.scope(asked["locale"], asked["datatype"], in: read.tree)
      var members = ContentCompiler.coverage(of: read.tree, scope).members(scope)
      members["generation"] = .integer(Int64(read.generation))
      // As the command tells of itself.
      (members["ok"], members["errors"], members["warnings"]) = (true, 0, 0)
      return members
    }
  }

  private static func scope(
    _ locale: String?, _ datatype: String?, in tree: ContentTree
  ) throws(RequestError) -> CoverageScope {
    do throws(CoverageScope.UnknownName) {
      return try CoverageScope(locale: locale, datatype: datatype, in: tree)
    } catch {
      throw RequestError(unknown: error.noun, error.name, known: error.known, .badRequest)
    }
  }
}

extension Circumstances {
  /// The parameters that tell of a reader what locale and device do not; one that is empty is
  /// unknown.
  fileprivate static let parameters = ["country", "app", "at"]

  fileprivate init(_ asked: [String: String], now: Instant) throws(RequestError) {
    let told = asked.filter { !$0.value.isEmpty }
    self.init(
      country: told["country"], version: told["app"].flatMap { AppVersion($0) }, instant: now)
    guard country.map(Country.isAssigned) ?? true else {
      throw RequestError(
        .badRequest, "a country must be an ISO 3166-1 code of two capital letters, such as FR")
    }
    if told["app"] != nil, version == nil {
      throw RequestError(.badRequest, "'app' must be a version such as 2.1")
    }
    if let text = told["at"] { instant = try Instant(asked: text) }
  }
}

extension Instant {
  /// A moment as addresses have it.
  init(asked text: String) throws(RequestError) {
    guard let instant = Instant(rfc3339: text), text.hasSuffix("Z") else {
      throw RequestError(.badRequest, "an instant must be as in 2026-12-24T17:00:00Z")
    }
    self = instant
  }
}

extension RequestError {
  /// A word that names nothing, with the nearest that does.
  init(unknown noun: String, _ word: String, known: [String], _ status: PreviewResponse.Status) {
    let nearest = word.nearest(among: known).map { "; did you mean '\($0)'?" } ?? ""
    self.init(status, "unknown \(noun) '\(word)'\(nearest)")
  }
}
