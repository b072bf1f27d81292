/// What answers to writes have proven, so that it need not be asked for again.
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

  /// Whether nothing but the encoding keeps a key from being proven to have this.
  func mayBeTold(_ key: String, _ form: S3Form) -> Bool {
    form.isGzip && !isEncodingKept && tags[key] == form.tag
  }

  /// Whether a key is proven to have this; a proof holds once, since what comes later may have
  /// changed.
  mutating func take(_ key: String, _ form: S3Form) -> Bool {
    guard !form.isGzip || isEncodingKept else { return false }
    return tags.removeValue(forKey: key) == form.tag
  }
}
