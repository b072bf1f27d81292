import HTTPTransport

/// A conditional write, which takes effect once however often the request is sent.
struct S3Write {
  let target: S3Target
  let key: String
  let file: OutgoingFile
  /// The tag of the file to replace; `nil` if there must be none.
  let tag: String?

  private enum Verdict {
    case isDone
    /// Another writer was faster, or an earlier attempt of this one.
    case isRefused
    case mayPass
    case fails
  }

  /// Writes the file, and returns whether this write, and no other, did so.
  func run() throws(TargetError) -> Bool {
    let form = try target.form(of: file)
    let request = request(form)
    var backoff = S3Backoff(target.bucket.environment)
    var mayBeDone = false
    while true {
      switch target.bucket.send(request) {
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
        case .mayPass where backoff.wait(): continue
        case .mayPass, .fails: throw target.bucket.error(answer, to: request)
        }
      }
    }
  }

  private func request(_ form: S3Form) -> S3Request {
    let condition =
      tag.map { ("If-Match", $0.hasPrefix("\"") ? $0 : "\"\($0)\"") } ?? ("If-None-Match", "*")
    return S3Request(
      .put, key: target.place(key), headers: form.headers + [condition], body: form.body)
  }

  private func verdict(_ answer: HTTPAnswer) throws(TargetError) -> Verdict {
    switch answer.status {
    case 200..<300: return .isDone
    case 412: return .isRefused
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
