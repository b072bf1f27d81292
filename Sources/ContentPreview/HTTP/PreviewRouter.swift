import ContentModel
import Dispatch

/// What the preview answers to whatever is asked of it.
package struct PreviewRouter: Sendable {
  let files: BuildFiles
  let rebuilder: Rebuilder
  let content: PreviewContent
  let hosts: HostPolicy
  private let api: PreviewAPI
  let instants: InstantBuilds
  private let channels: LiveChannels
  private let page = Page.bundled
  private let quick = DispatchQueue(label: "contentc.router")
  private let slow = DispatchQueue(label: "contentc.computed")

  init(_ source: PreviewSource, _ rebuilder: Rebuilder, _ hosts: HostPolicy) {
    (self.rebuilder, self.hosts) = (rebuilder, hosts)
    files = BuildFiles(source)
    content = PreviewContent(source, rebuilder)
    let kept = ResponseCache(content)
    api = PreviewAPI(
      source: source, content: content, facts: ConfigFacts(files), buildSizes: BuildSizes(files),
      kept: kept)
    let instants = InstantBuilds(content)
    self.instants = instants
    channels = LiveChannels(source, rebuilder)
    rebuilder.follow { state in
      guard state.isGood else { return }
      instants.forget()
      kept.forget()
    }
  }

  /// The answer to one request, which named a host, on a connection to the address `own`.
  package func response(to request: PreviewRequest, host: String, own: String?) async
    -> PreviewResponse
  {
    guard hosts.admits(host: host, own: own) else {
      return finished(
        .error(RequestError(.misdirectedRequest, "this server does not response to that name")))
    }
    do throws(RequestError) {
      return finished(try await self.response(to: request, host, own))
    } catch {
      return finished(.error(error))
    }
  }

  /// What is said on a new connection for events, and from then on.
  package func listen() -> AsyncStream<String> { rebuilder.listen() }

  private func response(to request: PreviewRequest, _ host: String, _ own: String?)
    async throws(RequestError)
    -> PreviewResponse
  {
    let names = request.target.segments
    guard let top = names.first else { return page(for: host) }
    if BuildFiles.tops.contains(top) {
      guard let file = files.representation(request) else { throw .nothingHere }
      return file.response(to: request)
    }
    // These cost more than to read a file.
    guard HostPolicy.isOwn(request, host: host) else {
      throw RequestError(
        .forbidden,
        "only the preview's own page may ask this; a program sends 'Cookie: \(HostPolicy.proof)'")
    }
    switch top {
    case "api":
      let isLocal = HostPolicy.isLocal(host: host, own: own)
      return try await api(request, Array(names.dropFirst()), isLocal: isLocal)
    case "at": return try await atInstant(request, Array(names.dropFirst()))
    case "channels": return try await channels.file(Array(names.dropFirst()), request)
    default: throw .nothingHere
    }
  }

  private func page(for host: String) -> PreviewResponse {
    var response = page.response
    if let cookie = HostPolicy.cookie(host: host) { response.fields.append(("set-cookie", cookie)) }
    return response
  }

  private func api(
    _ request: PreviewRequest, _ names: [String], isLocal: Bool
  ) async throws(RequestError) -> PreviewResponse {
    if names == ["events"] {
      _ = try request.parameters([])
      return PreviewResponse(
        .ok, [("content-type", "text/event-stream"), ("cache-control", "no-store")], .events)
    }
    if names == ["changes"] { return try await channels.changes(request) }
    guard names.count == 1 else { throw .nothingHere }
    let queue = PreviewAPI.quick.contains(names[0]) ? quick : slow
    return try await queue.run { [api] () throws(RequestError) in
      try api.response(names[0], request, isLocal: isLocal)
    }
  }

  private func atInstant(_ request: PreviewRequest, _ names: [String]) async throws(RequestError)
    -> PreviewResponse
  {
    let build = try await instants.build(at: try Instant(asked: names.first ?? ""))
    guard let file = build.representation(of: names.dropFirst().joined(separator: "/")) else {
      throw .nothingHere
    }
    return file.response(to: request)
  }

  /// What every answer says, unless it says something else itself.
  private func finished(_ response: PreviewResponse) -> PreviewResponse {
    var response = response
    let common = [
      ("date", content.source.now().httpDate),
      ("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin"),
      ("referrer-policy", "no-referrer"),
      // A picture may be a document with scripts; opened by itself it must not act as this server's
      // page.
      (
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
      ),
    ]
    for (name, value) in common where !response.fields.contains(where: { $0.name == name }) {
      response.fields.append((name, value))
    }
    return response
  }
}

extension RequestError {
  static let nothingHere = RequestError(.notFound, "there is nothing here")
}
