package import ContentModel
package import ContentReleases
import ContentTargets
package import HTTPTransport
import PropertyLists
import SiteFormat
package import System

/// The files that readers get at a target's public address.
package struct PublicSite: Sendable {
  /// Sends a request as an app does, and returns the answer.
  package typealias Send = @Sendable (HTTPRequest) throws(HTTPFailure) -> HTTPAnswer

  /// The address of the target's files, without `/` at the end.
  package let url: String
  private let send: Send
  private let environment: RequestEnvironment

  package init(_ url: String, send: @escaping Send, environment: RequestEnvironment) {
    (self.url, self.send, self.environment) = (url, send, environment)
  }

  /// Returns the public URL of a key.
  package func url(of key: String) -> String { "\(url)/\(key)" }

  /// Repeats a check until it succeeds, at most for a number of milliseconds.
  private func poll(for milliseconds: Int64, until succeeds: () -> Bool) {
    let end = environment.milliseconds() + milliseconds
    var pause = 5
    while !succeeds() {
      guard environment.milliseconds() + Int64(pause) < end else { return }
      environment.sleep(pause)
      pause = min(pause * 2, 250)
    }
  }

  /// Reads config as apps do until four answers in a row show a release or a later one of the target,
  /// at most for a number of milliseconds.
  ///
  /// - Returns: The problem with the last answer; `nil` if there is none.
  func problem(
    showing release: ReleaseRecord.Identity, of place: ChannelPlace, at key: String,
    within milliseconds: Int64
  ) -> String? {
    var problem: String?
    poll(for: milliseconds) {
      // Several caches may answer at one address.
      for _ in 0..<4 {
        problem = self.problem(showing: release, of: place, in: HTTPRequest(.get, url(of: key)))
        if problem != nil { return false }
      }
      return true
    }
    return problem.map { "\(url(of: key)) \($0)" }
  }

  private func problem(
    showing release: ReleaseRecord.Identity, of place: ChannelPlace, in request: HTTPRequest
  ) -> String? {
    let answer: HTTPAnswer
    do { answer = try send(request) } catch { return "cannot be requested: \(error)" }
    guard answer.status == 200 else { return "answers with status \(answer.status)" }
    guard let config = try? PropertyList.decode(Envelope.config(in: answer.body)).value,
      let seen = config["release"]?.number
    else {
      return "does not answer with config"
    }
    // A mistaken 'url' often names another app's config.
    guard config["app"]?.text == place.app else {
      return "is not the config of '\(place.app)'; is the 'url' in content.yaml right?"
    }
    guard seen >= release.number else { return "still answers with release \(seen)" }
    // Apps refuse what does not verify, and keep what they show.
    do { try place.verify(answer.body, at: "the config there") } catch {
      return "answers with what no app accepts: \(error)"
    }
    let served = ReleaseRecord.Identity(number: seen, record: config["record"]?.digest)
    if served == release { return nil }
    if let foreignness = foreignness(of: served, in: place) { return foreignness }
    return seen == release.number
      ? "still answers with another release \(seen), from before config was restored" : nil
  }

  /// Returns the end of a sentence about a release that readers get, if the target does not have it;
  /// `nil` for a release of the target, such as that of a faster publisher.
  private func foreignness(
    of served: ReleaseRecord.Identity, in place: ChannelPlace
  ) -> String? {
    do {
      // A publisher writes the record before config.
      if try place.hasRecord(of: served) { return nil }
    } catch {
      return "answers with release \(served.number), and \(place.target.name) does not say whether "
        + "it has that release: \(error)"
    }
    return "answers with release \(served.number), which \(place.target.location) does not have: "
      + "this is another target than the one behind 'url', or it was restored from a backup; check "
      + "the folder, and 'target' in content.yaml"
  }

  /// Returns a sentence if readers get a release of the app that is not of the target; `nil` for a
  /// release of the target, and for any other answer.
  ///
  /// A release below `live`, the number of the target's live release or 0, is not foreign: a cache may
  /// keep a release whose record a prune has removed.
  package func foreignRelease(
    above live: Int, in place: ChannelPlace, format: PropertyListFormat
  ) -> String? {
    let url = url(of: place.configKey(format))
    guard let answer = try? send(HTTPRequest(.get, url)), answer.status == 200,
      let config = try? PropertyList.decode(Envelope.config(in: answer.body)).value,
      config["app"]?.text == place.app, let seen = config["release"]?.number, seen >= live
    else { return nil }
    let served = ReleaseRecord.Identity(number: seen, record: config["record"]?.digest)
    guard (try? place.hasRecord(of: served)) == false else { return nil }
    return foreignness(of: served, in: place).map { "\(url) \($0)" }
  }

  /// Returns whether readers get the config of an earlier release, as after a cache refused a purge,
  /// another one with the same number, or one that is not of the target.
  ///
  /// Returns `false` if an answer is not a config of this app.
  package func isBehind(
    _ release: ReleaseRecord.Identity, of place: ChannelPlace, format: PropertyListFormat
  ) -> Bool {
    // Several caches may answer at one address.
    for _ in 0..<4 {
      guard let answer = try? send(HTTPRequest(.get, url(of: place.configKey(format)))),
        answer.status == 200,
        let config = try? PropertyList.decode(Envelope.config(in: answer.body)).value,
        config["app"]?.text == place.app, let seen = config["release"]?.number
      else { return false }
      if seen < release.number { return true }
      let served = ReleaseRecord.Identity(number: seen, record: config["record"]?.digest)
      // After config was restored, the next release has the number of one that was live before.
      if served != release, seen == release.number || (try? place.hasRecord(of: served)) == false {
        return true
      }
    }
    return false
  }

  /// Requests removed files in each form in which caches keep them, until no cache has them, at most
  /// for a number of milliseconds.
  ///
  /// - Returns: The URLs that do not answer that the file is gone, each with its answer, and the
  ///   number of forms that are gone in the end. If the site answers for every missing file as if it
  ///   were there, that alone is the problem.
  func remaining(
    of keys: [String], within milliseconds: Int64
  ) -> (remaining: [String], gone: Int) {
    let (left, done) = request(keys, within: milliseconds) { answer in
      if Self.isGone(answer) { return nil }
      return answer.status == 200
        ? "is still there" : "answers with status \(answer.status) instead of 404 or 410"
    }
    if let key = left.first?.key, let status = statusOfMissingFile(like: key) {
      return (
        [
          "\(url) answers with status \(status) for a file that never existed, so nobody can see whether removed "
            + "files are gone: let it answer with 404 for missing files below '\(url)/objects/', without a page of "
            + "its own and without a redirection"
        ], done
      )
    }
    return (left.map { "\(url(of: $0.key)) \($0.problem)" }, done)
  }

  /// Requests files in each form in which caches keep them, until readers get all of them, at most
  /// for a number of milliseconds.
  ///
  /// - Returns: The keys of the others, each with the end of a sentence about its answer.
  func lacking(
    _ keys: [String], within milliseconds: Int64
  ) -> [(key: String, problem: String)] {
    request(keys, within: milliseconds) { answer in
      answer.status == 200 ? nil : "answers with status \(answer.status)"
    }.left
  }

  /// Requests files in each form until `problem` finds none in any answer.
  ///
  /// - Returns: The keys with another answer, each once, and the number of forms without a problem.
  private func request(
    _ keys: [String], within milliseconds: Int64,
    problem: @escaping @Sendable (HTTPAnswer) -> String?
  ) -> (left: [(key: String, problem: String)], done: Int) {
    let forms = keys.flatMap { key in ["gzip", "br", "identity"].map { (key: key, form: $0) } }
    var left = forms
    var problems: [String?] = []
    poll(for: milliseconds) {
      let answers = left.mapOverlapped { [self] key, form -> String? in
        let request = HTTPRequest(.head, url(of: key), headers: [("Accept-Encoding", form)])
        do throws(HTTPFailure) { return problem(try send(request)) } catch {
          return "cannot be requested: \(error)"
        }
      }
      left = zip(left, answers).filter { $0.1 != nil }.map(\.0)
      problems = answers.filter { $0 != nil }
      return left.isEmpty
    }
    var seen = Set<String>()
    let remaining = zip(left, problems).filter { seen.insert($0.0.key).inserted }
    return (remaining.map { ($0.key, $1 ?? "") }, forms.count - left.count)
  }

  private static func isGone(_ answer: HTTPAnswer) -> Bool {
    [403, 404, 410].contains(answer.status)
  }

  /// Returns the status for a file that cannot exist, beside one with a key; `nil` if the answer is
  /// that it is missing, or if there is none.
  private func statusOfMissingFile(like key: String) -> Int? {
    let folder = key.lastIndex(of: "/").map { key[...$0] } ?? ""
    let ending = key.lastIndex(of: ".").map { key[$0...] } ?? ""
    let name = (0..<4).map { _ in String(environment.random() | 1 << 63, radix: 16) }.joined()
    let request = HTTPRequest(.head, "\(url)/\(folder)\(name)\(ending)")
    guard let answer = try? send(request), !Self.isGone(answer), answer.status < 500 else {
      return nil
    }
    return answer.status
  }
}
