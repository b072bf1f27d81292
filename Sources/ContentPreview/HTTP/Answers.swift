import ContentModel
import Dispatch

/// What the preview answers to whatever is asked of it.
package struct Answers: Sendable {
  let files: BuildFiles
  let rebuilder: Rebuilder
  let content: PreviewContent
  let hosts: HostPolicy
  private let interface: Interface
  let instants: InstantBuilds
  private let channels: LiveChannels
  private let page = Page.bundled
  private let quick = DispatchQueue(label: "contentc.answers")
  private let slow = DispatchQueue(label: "contentc.computed")

  init(_ source: PreviewSource, _ rebuilder: Rebuilder, _ hosts: HostPolicy) {
    (self.rebuilder, self.hosts) = (rebuilder, hosts)
    files = BuildFiles(source)
    content = PreviewContent(source, rebuilder)
    let kept = KeptAnswers(content)
    interface = Interface(
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
  package func answer(to question: Question, host: String, own: String?) async -> Answer {
    guard hosts.admits(host: host, own: own) else {
      return finished(
        .refused(Refusal(.misdirectedRequest, "this server does not answer to that name")))
    }
    do throws(Refusal) {
      return finished(try await self.answer(to: question, host, own))
    } catch {
      return finished(.refused(error))
    }
  }

  /// What is said on a new connection for events, and from then on.
  package func listen() -> AsyncStream<String> { rebuilder.listen() }

  private func answer(to question: Question, _ host: String, _ own: String?) async throws(Refusal)
    -> Answer
  {
    let names = question.target.segments
    guard let top = names.first else { return page(for: host) }
    if BuildFiles.tops.contains(top) {
      guard let file = files.representation(question) else { throw .nothingHere }
      return file.answer(to: question)
    }
    // These cost more than to read a file.
    guard HostPolicy.isOwn(question, host: host) else {
      throw Refusal(
        .forbidden,
        "only the preview's own page may ask this; a program sends 'Cookie: \(HostPolicy.proof)'")
    }
    switch top {
    case "api":
      let isLocal = HostPolicy.isLocal(host: host, own: own)
      return try await interface(question, Array(names.dropFirst()), isLocal: isLocal)
    case "at": return try await atInstant(question, Array(names.dropFirst()))
    case "channels": return try await channels.file(Array(names.dropFirst()), question)
    default: throw .nothingHere
    }
  }

  private func page(for host: String) -> Answer {
    var answer = page.answer
    if let cookie = HostPolicy.cookie(host: host) { answer.fields.append(("set-cookie", cookie)) }
    return answer
  }

  private func interface(
    _ question: Question, _ names: [String], isLocal: Bool
  ) async throws(Refusal) -> Answer {
    if names == ["events"] {
      _ = try question.parameters([])
      return Answer(
        .ok, [("content-type", "text/event-stream"), ("cache-control", "no-store")], .events)
    }
    if names == ["changes"] { return try await channels.changes(question) }
    guard names.count == 1 else { throw .nothingHere }
    let queue = Interface.quick.contains(names[0]) ? quick : slow
    return try await queue.run { [interface] () throws(Refusal) in
      try interface.answer(names[0], question, isLocal: isLocal)
    }
  }

  private func atInstant(_ question: Question, _ names: [String]) async throws(Refusal) -> Answer {
    let build = try await instants.build(at: try Instant(asked: names.first ?? ""))
    guard let file = build.representation(of: names.dropFirst().joined(separator: "/")) else {
      throw .nothingHere
    }
    return file.answer(to: question)
  }

  /// What every answer says, unless it says something else itself.
  private func finished(_ answer: Answer) -> Answer {
    var answer = answer
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
    for (name, value) in common where !answer.fields.contains(where: { $0.name == name }) {
      answer.fields.append((name, value))
    }
    return answer
  }
}

extension Refusal {
  static let nothingHere = Refusal(.notFound, "there is nothing here")
}
