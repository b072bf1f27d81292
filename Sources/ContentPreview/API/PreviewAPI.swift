import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Translations

/// The resources below `/api/` that are one JSON object.
struct PreviewAPI: Sendable {
  let source: PreviewSource
  let content: PreviewContent
  let facts: ConfigFacts
  let buildSizes: BuildSizes
  let cache: ResponseCache

  /// The names of quick resources, which do not wait for the slow ones.
  static let quickNames = ["state", "explain", "qr"]

  /// Returns a resource; `isLocal` is `true` if a browser on this machine asks.
  func response(
    named name: String, to request: PreviewRequest, isLocal: Bool
  ) throws(RequestError) -> PreviewResponse {
    switch name {
    case "state":
      _ = try request.parameters()
      return .json(
        StateJSON(state: content.state, source: source, facts: facts, isLocal: isLocal).value)
    case "qr": return .json(try qrCode(request))
    case "explain": return .json(.dictionary(try explanation(request)))
    case "fallbacks": return try fallbacks(request)
    case "coverage": return try coverage(request)
    case "schedule":
      _ = try request.parameters()
      return try cache.response(named: name, to: request) { snapshot in
        ScheduleJSON(
          generation: snapshot.generation, now: source.now(), moments: schedule(of: snapshot.tree)
        ).members
      }
    case "sizes": return .json(.dictionary(try sizes(request)))
    default: throw .notFound
    }
  }

  private func qrCode(_ request: PreviewRequest) throws(RequestError) -> Value {
    let text = try request.parameters(required: ["text"])["text"] ?? ""
    guard text.utf8.count <= QRCode.mostBytes else {
      throw RequestError(
        .badRequest, message: "'text' must have at most \(QRCode.mostBytes) bytes")
    }
    return ["rows": .strings(QRCode(text)?.rows ?? [])]
  }

  private func explanation(_ request: PreviewRequest) throws(RequestError) -> Members {
    let parameters = try request.parameters(
      ["locale", "device"] + Circumstances.parameterNames, required: ["entry"])
    let snapshot = try content.read()
    let context = try PreviewContent.context(
      of: snapshot.tree, locale: parameters["locale"], device: parameters["device"])
    let circumstances = try Circumstances(parameters, now: source.now())
    let name = parameters["entry"] ?? ""
    let id = name == EntryID.maintenance.text ? .maintenance : EntryID(name)
    let explanation = id.flatMap {
      explain($0, in: snapshot.tree, context: context, circumstances: circumstances)
    }
    guard let explanation else {
      throw RequestError(
        unknown: "entry", name: name, known: snapshot.tree.entries.map(\.id.text),
        status: .notFound)
    }
    var members = ExplanationPage(explanation).members
    // The members of `contentc explain --json`.
    for (key, value) in Self.conclusion { members[key] = value }
    members["exitStatus"] = 0
    return snapshot.marked(members)
  }

  private func fallbacks(_ request: PreviewRequest) throws(RequestError) -> PreviewResponse {
    let parameters = try request.parameters(["locale", "device"] + Circumstances.parameterNames)
    let circumstances = try Circumstances(parameters, now: source.now())
    return try cache.response(named: "fallbacks", to: request) { snapshot throws(RequestError) in
      let context = try PreviewContent.context(
        of: snapshot.tree, locale: parameters["locale"], device: parameters["device"])
      let entries = borrowedTexts(in: snapshot.tree, context: context, circumstances).map { entry in
        (
          entry.id.text,
          Value.dictionary(Members(entry.texts.map { ($0.path, .string($0.locale.identifier)) }))
        )
      }
      return [
        "generation": .integer(Int64(snapshot.generation)),
        "entries": .dictionary(Members(entries)),
      ]
    }
  }

  private func sizes(_ request: PreviewRequest) throws(RequestError) -> Members {
    let parameters = try request.parameters(["a", "b"])
    let json = SizesJSON(generation: content.state.generation, sizes: buildSizes.read())
    switch (parameters["a"], parameters["b"]) {
    case (let a?, let b?): return try json.members(sharing: a, with: b)
    case (nil, nil): return json.members
    default:
      throw RequestError(
        .badRequest, message: "'a' and 'b' must both be there, such as a=fr-CA/ipad&b=en/phone")
    }
  }

  private func coverage(_ request: PreviewRequest) throws(RequestError) -> PreviewResponse {
    let parameters = try request.parameters(["locale", "datatype"])
    return try cache.response(named: "coverage", to: request) { snapshot throws(RequestError) in
      let scope = try Self.scope(
        locale: parameters["locale"], datatype: parameters["datatype"], in: snapshot.tree)
      let lock = TranslationLock.read(in: snapshot.tree.folder)
      if lock.hasErrors { throw .unreadableContent }
      let project = TranslationProject(of: snapshot.tree, lock: lock.output)
      let coverage = ContentCompiler.coverage(
        of: snapshot.tree, scope, outdated: project.outdated)
      var members = coverage.members(scope)
      members["isLocked"] = .boolean(project.isLocked)
      members["generation"] = .integer(Int64(snapshot.generation))
      // The members of `contentc coverage --json`.
      for (key, value) in Self.conclusion { members[key] = value }
      return members
    }
  }

  /// The members at the end of a command's JSON after success.
  private static let conclusion: Members = ["ok": true, "errors": 0, "warnings": 0]

  private static func scope(
    locale: String?, datatype: String?, in tree: ContentTree
  ) throws(RequestError) -> CoverageScope {
    do throws(CoverageScope.UnknownName) {
      return try CoverageScope(locale: locale, datatype: datatype, in: tree)
    } catch {
      throw RequestError(unknown: error.rule.noun, name: error.name, known: error.known)
    }
  }
}

extension Circumstances {
  /// The parameters that describe a reader beside locale and device; an empty value is unknown.
  fileprivate static let parameterNames: [ExactString] = ["country", "app", "at"]

  fileprivate init(_ parameters: PreviewParameters, now: Instant) throws(RequestError) {
    let value = { (name: String) in parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      country: value("country"), version: value("app").flatMap { AppVersion($0) }, instant: now)
    guard country.map(Country.isAssigned) ?? true else {
      throw RequestError(
        .badRequest,
        message: "a country must be an ISO 3166-1 code of two capital letters, such as FR")
    }
    if value("app") != nil, version == nil {
      throw RequestError(.badRequest, message: "'app' must be a version such as 2.1")
    }
    if let text = value("at") { instant = try Instant(parameter: text) }
  }
}

extension Instant {
  /// Parses an instant in a path or query, which must be in UTC.
  init(parameter text: String) throws(RequestError) {
    guard let instant = Instant(rfc3339: text), text.hasSuffix("Z") else {
      throw RequestError(.badRequest, message: "an instant must be as in 2026-12-24T17:00:00Z")
    }
    self = instant
  }
}
