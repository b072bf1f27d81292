/// The files whose presence an answer to a write has proven, so that no further request is needed.
///
/// The `ETag` of an answer is the MD5 of the bytes that lie there now. That a server keeps
/// `Content-Encoding` it does not say: the first gzipped files of a run are looked at, until one
/// has shown it.
struct S3Proofs {
  private var tags: [String: String] = [:]  // String keys: keys are ASCII
  private var isEncodingKept = false

  /// Takes down that a key has just what was sent.
  mutating func add(_ key: String, _ form: S3Form) { tags[key] = form.tag }

  /// Takes down that a gzipped file was found described as such.
  mutating func keepsEncoding(_ isGzip: Bool) { isEncodingKept = isEncodingKept || isGzip }

  /// Forgets a key, which is about to be removed.
  mutating func drop(_ key: String) { tags[key] = nil }

  /// Returns whether only the unknown encoding prevents a proof that a key has this file.
  func mayBeTold(_ key: String, _ form: S3Form) -> Bool {
    form.isGzip && !isEncodingKept && tags[key] == form.tag
  }

  /// Returns whether a key provably has this file, and drops the proof: the file may change later.
  mutating func take(_ key: String, _ form: S3Form) -> Bool {
    guard !form.isGzip || isEncodingKept else { return false }
    return tags.removeValue(forKey: key) == form.tag
  }
}
