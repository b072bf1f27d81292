package import ContentModel
package import HTTPTransport
import SharedGzip
import Synchronization
package import System

/// A bucket of Amazon S3, or of any server with its protocol.
///
/// A class, since it remembers the observed behaviour of the server.
package final class S3Target: Target {
  /// The largest body of a `PUT` in bytes, by Amazon's reference.
  private static let writeLimit = 5 << 30

  package let name: String
  let bucket: S3Bucket
  /// `true` if no other publisher runs, so that writes need no conditions where the server has none.
  let isSingleWriter: Bool
  private let isIdentity: Bool
  private let conditions = Mutex<Bool?>(nil)
  private let lacksConditionsFlag = Mutex(false)
  let keepsVersions = Mutex<Bool?>(nil)
  private let proofs = Mutex(S3Proofs())
  private let firstQuery = Mutex(())

  /// Creates a target from
  /// `s3://bucket/prefix?endpoint=…&region=…&addressing=path|virtual&encoding=identity`; sends
  /// nothing yet.
  ///
  /// Credentials, region and endpoint are those of Amazon's tools. `variable` returns an
  /// environment variable's value, and `file` a file's bytes; both return `nil` for a missing one.
  /// The target also calls `file` later, when it renews credentials.
  ///
  /// With `isSingleWriter`, writes to a server without conditional writes check first and then
  /// write: the caller promises that there is no other writer. `whenSlow` receives the target's name
  /// once its answers take long.
  ///
  /// - Throws: `.unusable` or `.denied`, with the mistake in the address or the settings.
  package init(
    _ address: String, variable: @escaping (String) -> String?,
    file: @escaping @Sendable (String) -> [UInt8]?,
    isSingleWriter: Bool = false, limits: HTTPLimits = HTTPLimits(),
    environment: RequestEnvironment = .system,
    whenSlow: @escaping @Sendable (_ target: String) -> Void = { _ in }
  ) throws(TargetError) {
    let address = try Self.read(address)
    let settings = try S3Settings(environment: variable, file: file)
    let certificates = variable("SSL_CERT_FILE").flatMap { $0.isEmpty ? nil : $0 }
    let chain = try CredentialChain(settings, address: address, environment: variable)
    let requests = CredentialRequests(
      environment: environment, certificates: certificates, file: file)
    name = address.shown
    (self.isSingleWriter, isIdentity) = (isSingleWriter, address.isIdentity)
    bucket = S3Bucket(
      location: try S3Location(address, settings: settings),
      credentials: CredentialProvider(try chain.source(), requests: requests),
      client: HTTPClient(limits: limits, certificates: certificates), environment: environment,
      slowStep: SlowStep(address.shown, tell: whenSlow))
  }

  private static func read(_ address: String) throws(TargetError) -> S3Address {
    do { return try S3Address(address) } catch { throw TargetError(error) }
  }

  package var largestFile: Int? { Self.writeLimit }

  /// `true` once the server has answered that it does not know conditional writes.
  var lacksConditions: Bool { lacksConditionsFlag.withLock { $0 } }

  func noteLackOfConditions() { lacksConditionsFlag.withLock { $0 = true } }

  package func honorsConditions() throws(TargetError) -> Bool {
    try conditions.withLock { known throws(TargetError) in
      if let known { return known }
      let found = try probe()
      known = found
      return found
    }
  }

  package var conditionsKey: String? { bucket.location.url(S3Request(.get, key: "")) }

  package var hasLock: Bool { false }

  package var traffic: HTTPTraffic? { bucket.client.traffic }

  package var time: Instant? { bucket.clock.time(at: bucket.environment.now()) }

  /// Runs work without a lock: the conditional replacement of one file decides between writers.
  package func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }

  package func read(_ key: String) throws(TargetError) -> StoredFile? {
    var request = S3Request(.get, key: place(key))
    // The body of an error can be longer than the limit of a small file.
    request.answerLimit = max(ReadLimit.bytes(of: key), S3Request.statementLimit)
    let answer: HTTPAnswer
    do { answer = try bucket.ask(request) } catch  where error.kind == .tooLarge {
      throw TargetError(tooLarge: key, at: name)
    }
    switch answer.status {
    case 200:
      let tag = Self.tag(answer)
      do { return StoredFile(bytes: try decoded(answer, of: key), tag: tag ?? "") } catch {
        var error = error
        error.tag = tag
        throw error
      }
    case 404 where !Self.isOfBucket(answer): return nil
    default: throw bucket.error(answer, to: request)
    }
  }

  package func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try write(file, to: key, replacing: nil)
  }

  package func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError)
    -> Bool
  {
    try write(file, to: key, replacing: tagged)
  }

  private func write(
    _ file: OutgoingFile, to key: String, replacing tag: String?
  ) throws(TargetError) -> Bool {
    let write = S3Write(target: self, key: key, file: file, tag: tag.map { ExactString($0) })
    return try bucket.slowStep.run { () throws(TargetError) in try write.run() }
  }

  package func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    let form = try form(of: file)
    if proofs.withLock({ $0.take(form, of: key) }) { return true }
    guard proofs.withLock({ $0.lacksOnlyEncoding(form, of: key) }) else {
      return try serverHolds(file, at: key, in: form)
    }
    // The first request answers for all others; other threads wait for it.
    return try firstQuery.withLock { _ throws(TargetError) in
      if proofs.withLock({ $0.take(form, of: key) }) { return true }
      return try serverHolds(file, at: key, in: form)
    }
  }

  /// Asks the server whether a key has the file.
  private func serverHolds(
    _ file: OutgoingFile, at key: String, in form: S3Form
  ) throws(TargetError) -> Bool {
    guard let answer = try head(key) else { return false }
    let size = answer.header("Content-Length").flatMap { Int($0) }
    let isGzip = Self.encodings(answer) == ["gzip"]
    if size == form.body.count, isGzip == form.isGzip, Self.tag(answer) == form.tag {
      proofs.withLock { $0.keepsEncoding(isGzip) }
      return true
    }
    // An uncompressed file of another size must differ. A store that decompresses its answers may
    // state the size of the stored bytes.
    if !isGzip, let size, size != file.body.count, size != form.body.count { return false }
    return try isSame(key, as: file.body, isGzip: isGzip, count: size ?? 0)
  }

  /// Reads a stored file and compares it; a large one piece by piece.
  private func isSame(
    _ key: String, as body: FileBody, isGzip: Bool, count: Int
  ) throws(TargetError) -> Bool {
    if case .bytes(let bytes) = body { return try read(key)?.bytes == bytes }
    let last = Mutex<IncomingFile?>(nil)
    var request = S3Request(.get, key: place(key))
    request.sink = HTTPSink(count: count) {
      let file = IncomingFile(isGzip: isGzip, limit: body.count)
      last.withLock { $0 = file }
      return { piece in
        file.add(piece)
        return true
      }
    }
    let answer = try bucket.ask(request)
    switch answer.status {
    case 200: return last.withLock { $0?.isSame(as: body) ?? false }
    case 404 where !Self.isOfBucket(answer): return false
    default: throw bucket.error(answer, to: request)
    }
  }

  package func remove(_ key: String) throws(TargetError) { _ = try delete(key) }

  /// Deletes a file, and returns the server's answer.
  func delete(_ key: String) throws(TargetError) -> HTTPAnswer {
    proofs.withLock { $0.drop(key) }
    let request = S3Request(.delete, key: place(key))
    // The last attempt ends after 30 s of silence, so the removal ends within a minute: the
    // caller's lock expires.
    let answer = try bucket.ask(request, for: 20_000)
    let isGone = answer.status == 404 && !Self.isOfBucket(answer)
    guard isGone || (200..<300).contains(answer.status) else {
      throw bucket.error(answer, to: request)
    }
    return answer
  }

  /// Records the proof in an answer to a write of a form.
  func note(_ answer: HTTPAnswer, to form: S3Form, of key: String) {
    if Self.tag(answer) == form.tag { proofs.withLock { $0.add(form, of: key) } }
  }

  /// Returns the `ETag` of a file; `nil` if there is none.
  func tag(of key: String) throws(TargetError) -> ExactString? {
    try head(key).map { ExactString(Self.tag($0) ?? "") }
  }

  func form(of file: OutgoingFile) throws(TargetError) -> S3Form {
    do { return try S3Form(file, isIdentity: isIdentity) } catch {
      throw TargetError(error, target: name)
    }
  }

  func place(_ key: String) -> String { bucket.location.prefix + key }

  /// Returns whether an answer reports that the whole bucket is missing, not only a file.
  static func isOfBucket(_ answer: HTTPAnswer) -> Bool {
    S3ErrorBody(answer.body)?.code == "NoSuchBucket"
  }

  func head(_ key: String) throws(TargetError) -> HTTPAnswer? {
    let request = S3Request(.head, key: place(key))
    let answer = try bucket.ask(request)
    switch answer.status {
    case 200: return answer
    case 404: return nil
    default: throw bucket.error(answer, to: request)
    }
  }

  private func decoded(_ answer: HTTPAnswer, of key: String) throws(TargetError) -> [UInt8] {
    let encodings = Self.encodings(answer)
    let limit = ReadLimit.bytes(of: key)
    if encodings.isEmpty {
      guard answer.body.count <= limit else {
        throw TargetError(tooLarge: key, at: name, size: answer.body.count)
      }
      return answer.body
    }
    guard encodings == ["gzip"] else {
      let encoding = encodings.joined(separator: ", ")
      throw TargetError(
        .damaged,
        "\(name) has '\(key)' in an encoding that is not gzip: contentc did not write it; have the "
          + "bucket or server send the file as it was stored, without 'Content-Encoding: "
          + "\(encoding)', then run again")
    }
    // Each gzip member begins with these bytes (RFC 1952, section 2.3.1).
    guard answer.body.starts(with: [0x1F, 0x8B]) else {
      throw TargetError(
        .damaged,
        "\(name) sends '\(key)' decompressed, and says that it is gzip, so no reader can decode it: write "
          + "'encoding=identity' in the address, which stores files uncompressed; then remove this file, and run again"
      )
    }
    do { return try Gzip.decompress(answer.body, limit: limit) } catch {
      throw TargetError(.damaged, "\(name) has a damaged file '\(key)': \(error)")
    }
  }

  private static func encodings(_ answer: HTTPAnswer) -> [String] {
    let names = (answer.header("Content-Encoding") ?? "").lowercased().split { ", \t".contains($0) }
      .map(String.init)
    return names.filter { $0 != "identity" && $0 != "aws-chunked" }
  }

  /// Returns the `ETag` of an answer, without the weak mark of proxies that compress; S3 itself
  /// never sends it.
  private static func tag(_ answer: HTTPAnswer) -> String? {
    answer.header("ETag").map { $0.hasBytePrefix("W/") ? String($0.dropFirst(2)) : $0 }
  }
}
