/// The files that the answers to writes have proven, so that they need no further request.
///
/// An answer's `ETag` is the MD5 of the stored bytes, but does not show whether the server keeps
/// `Content-Encoding`. So the first gzipped files of a run are examined until one has it.
struct S3Proofs {
  private var tags: [String: String] = [:]
  private var isEncodingKept = false

  /// Records that a key has exactly the sent form.
  mutating func add(_ form: S3Form, of key: String) { tags[key] = form.tag }

  /// Records whether a file was found with `Content-Encoding: gzip`.
  mutating func keepsEncoding(_ isGzip: Bool) { isEncodingKept = isEncodingKept || isGzip }

  /// Drops the proof of a key that is about to be removed.
  mutating func drop(_ key: String) { tags[key] = nil }

  /// Returns whether only the unknown encoding prevents a proof that a key has this form.
  func lacksOnlyEncoding(_ form: S3Form, of key: String) -> Bool {
    form.isGzip && !isEncodingKept && tags[key] == form.tag
  }

  /// Returns whether a key provably has this form, and drops the proof, since the file may change
  /// later.
  mutating func take(_ form: S3Form, of key: String) -> Bool {
    guard !form.isGzip || isEncodingKept else { return false }
    return tags.removeValue(forKey: key) == form.tag
  }
}
