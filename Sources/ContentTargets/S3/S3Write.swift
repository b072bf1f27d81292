import ContentModel
import HTTPTransport

/// A conditional write, which takes effect once however often the request is sent.
///
/// A single writer may write to a server without conditions: it checks, and then writes.
struct S3Write {
  let target: S3Target
  let key: String
  let file: OutgoingFile
  /// The tag of the file to replace; `nil` if there must be none.
  let tag: ExactString?

  private enum Verdict {
    case isDone
    /// Another writer was faster, or an earlier attempt of this one.
    case isRefused
    case mayPass
    /// The server does not know conditional writes.
    case isUnknown
    case fails
  }

  /// Writes the file, and returns whether this write, and no other, did so.
  func run() throws(TargetError) -> Bool {
    let form = try target.form(of: file)
    if target.isSingleWriter, target.lacksConditions { return try checkAndWrite(form) }
    let request = request(form, headers: [condition])
    var backoff = S3Backoff(target.bucket.environment)
    var mayBeDone = false
    while true {
      switch try target.bucket.send(request) {
      case .failure(let failure):
        mayBeDone = mayBeDone || failure.mayHaveTakenEffect
        guard failure.isPassing, backoff.wait() else { throw target.bucket.error(failure) }
      case .success(let answer):
        // A server can report an error after the write took effect.
        mayBeDone = mayBeDone || answer.mayHaveBeenSentTwice || answer.status >= 500
        switch try verdict(answer) {
        case .isDone:
          target.note(answer, to: form, of: key)
          return true
        case .isRefused: return mayBeDone ? try isOurs() : false
        case .isUnknown where target.isSingleWriter: return try checkAndWrite(form)
        case .mayPass where backoff.wait(): continue
        case .mayPass, .isUnknown, .fails: throw target.bucket.error(answer, to: request)
        }
      }
    }
  }

  private var condition: (name: String, value: String) {
    tag.map { ("If-Match", $0.hasPrefix("\"") ? $0.text : "\"\($0)\"") } ?? ("If-None-Match", "*")
  }

  private func request(_ form: S3Form, headers: [(name: String, value: String)]) -> S3Request {
    S3Request(.put, key: target.place(key), headers: form.headers + headers, body: form.body)
  }

  /// Writes the file without a condition, if the key has the file to replace, or none.
  private func checkAndWrite(_ form: S3Form) throws(TargetError) -> Bool {
    guard try target.tag(of: key) == tag else { return false }
    let request = request(form, headers: [])
    let answer = try target.bucket.ask(request)
    guard (200..<300).contains(answer.status) else {
      throw target.bucket.error(answer, to: request)
    }
    target.note(answer, to: form, of: key)
    return true
  }

  private func verdict(_ answer: HTTPAnswer) throws(TargetError) -> Verdict {
    switch answer.status {
    case 200..<300: return .isDone
    case 412: return .isRefused
    case 501:
      target.noteLackOfConditions()
      return .isUnknown
    case 404 where tag != nil && !S3Target.isOfBucket(answer): return .isRefused
    case 409:
      // Another writer is active; it may already have replaced the file with this tag.
      guard let tag else { return .mayPass }
      return try target.tag(of: key) == tag ? .mayPass : .isRefused
    default: return S3Bucket.isPassing(answer) ? .mayPass : .fails
    }
  }

  /// Returns whether the present file is the sent one, although the answer was lost.
  private func isOurs() throws(TargetError) -> Bool {
    guard case .bytes(let bytes) = file.body else { return try target.holds(key, as: file) }
    return try target.read(key)?.bytes == bytes
  }
}
