import ContentModel
import Dispatch

/// The router that answers all requests of the preview's page and of apps.
package struct PreviewRouter: Sendable {
  let files: BuildFiles
  let rebuilder: Rebuilder
  let content: PreviewContent
  let hosts: HostPolicy
  private let api: PreviewAPI
  let instants: InstantBuilds
  private let channels: LiveChannels
  private let translations: TranslationsAPI
  private let page = Page.bundled
  private let quickQueue = DispatchQueue(label: "contentc.api")
  private let slowQueue = DispatchQueue(label: "contentc.computed")

  init(_ source: PreviewSource, rebuilder: Rebuilder, hosts: HostPolicy) {
    (self.rebuilder, self.hosts) = (rebuilder, hosts)
    files = BuildFiles(source)
    content = PreviewContent(source, rebuilder: rebuilder)
    let cache = ResponseCache(content)
    api = PreviewAPI(
      source: source, content: content, facts: ConfigFacts(files), buildSizes: BuildSizes(files),
      cache: cache)
    let instants = InstantBuilds(content)
    self.instants = instants
    channels = LiveChannels(source, rebuilder: rebuilder)
    translations = TranslationsAPI(source.translations)
    rebuilder.onAttempt { state in
      guard state.isGood else { return }
      instants.removeAll()
      cache.removeAll()
    }
  }

  /// Returns the response to a request with a `host` field, on a connection to `localAddress`.
  package func response(
    to request: PreviewRequest, host: String, localAddress: String?
  ) async -> PreviewResponse {
    guard hosts.admits(host: host, localAddress: localAddress) else {
      let error = RequestError(
        .misdirectedRequest, message: "this server does not answer to that name")
      return withCommonFields(.error(error), for: request)
    }
    do throws(RequestError) {
      return withCommonFields(
        try await route(request, host: host, localAddress: localAddress), for: request)
    } catch {
      return withCommonFields(.error(error), for: request)
    }
  }

  private func route(
    _ request: PreviewRequest, host: String, localAddress: String?
  ) async throws(RequestError) -> PreviewResponse {
    let names = request.target.segments
    let isTranslations = names.prefix(2).elementsEqual(["api", "translations"])
    guard request.readBody == nil || isTranslations else { throw .methodNotAllowed }
    guard let top = names.first else { return page(for: request, host: host) }
    if BuildFiles.topLevelNames.contains(top) {
      guard let file = files.representation(for: request) else { throw .notFound }
      return file.response(to: request)
    }
    // All other requests cost more than reading a file.
    guard HostPolicy.isOwn(request, host: host) else {
      throw RequestError(
        .forbidden,
        message: "only the preview's own page may ask this; "
          + "a program sends 'Cookie: \(HostPolicy.cookiePair)'")
    }
    if isTranslations {
      return try await translations.response(
        to: request, names: Array(names.dropFirst(2)), host: host, localAddress: localAddress)
    }
    let rest = Array(names.dropFirst())
    switch top {
    case "api":
      let isLocal = HostPolicy.isLocal(host: host, localAddress: localAddress)
      return try await apiResponse(to: request, names: rest, isLocal: isLocal)
    case "at": return try await instantResponse(to: request, names: rest)
    case "pseudo": return try await pseudoResponse(to: request, names: rest)
    case "channels": return try await channels.file(rest, for: request)
    default: throw .notFound
    }
  }

  private func page(for request: PreviewRequest, host: String) -> PreviewResponse {
    var response = page.response(to: request)
    if let cookie = HostPolicy.cookie(host: host) { response.fields.append(("set-cookie", cookie)) }
    return response
  }

  private func apiResponse(
    to request: PreviewRequest, names: [String], isLocal: Bool
  ) async throws(RequestError) -> PreviewResponse {
    if names == ["events"] {
      _ = try request.parameters()
      return PreviewResponse(
        .ok, fields: [("content-type", "text/event-stream"), ("cache-control", "no-store")],
        body: .events { [rebuilder] in rebuilder.events() })
    }
    if names == ["changes"] { return try await channels.changes(request) }
    guard names.count == 1 else { throw .notFound }
    let queue = PreviewAPI.quickNames.contains(names[0]) ? quickQueue : slowQueue
    return try await queue.run { [api] () throws(RequestError) in
      try api.response(named: names[0], to: request, isLocal: isLocal)
    }
  }

  private func instantResponse(
    to request: PreviewRequest, names: [String]
  ) async throws(RequestError) -> PreviewResponse {
    let build = try await instants.build(at: try Instant(parameter: names.first ?? ""))
    return try response(to: request, from: build, names: names.dropFirst())
  }

  /// Returns a file of the build with pseudo-locales, now or at an instant.
  private func pseudoResponse(
    to request: PreviewRequest, names: [String]
  ) async throws(RequestError) -> PreviewResponse {
    let name = names.first ?? ""
    let instant = name == "now" ? nil : try Instant(parameter: name)
    let build = try await instants.build(at: instant, hasPseudoLocales: true)
    return try response(to: request, from: build, names: names.dropFirst())
  }

  private func response(
    to request: PreviewRequest, from build: MemoryBuild, names: ArraySlice<String>
  ) throws(RequestError) -> PreviewResponse {
    guard let file = build.representation(of: names.joined(separator: "/")) else {
      throw .notFound
    }
    return file.response(to: request)
  }

  /// Adds the fields of all responses where they are absent.
  private func withCommonFields(
    _ response: PreviewResponse, for request: PreviewRequest
  ) -> PreviewResponse {
    var response = response
    let common = [
      ("date", content.source.now().httpDate),
      ("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin"),
      ("referrer-policy", "no-referrer"),
      ("content-security-policy", policy(for: request)),
    ]
    for (name, value) in common where !response.fields.contains(where: { $0.name == name }) {
      response.fields.append((name, value))
    }
    return response
  }

  /// Returns the policy for a file of the content.
  ///
  /// An image or a page may be a document with scripts. Opened by itself, it must not act as a page
  /// of this server: it runs no script, and sends no form. A page keeps the server's origin, since
  /// browsers would not show it the images of its text otherwise.
  ///
  /// It depends on the name of the file, so that a response without a type (304) has the same.
  private func policy(for request: PreviewRequest) -> String {
    let name = request.target.segments.last ?? ""
    let type = MediaType.of(ending: BuildFiles.fileExtension(of: name))
    let common = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
    guard type == "text/html" else { return common + "sandbox" }
    return common + "img-src 'self'; base-uri 'none'; form-action 'none'; sandbox allow-same-origin"
  }
}
