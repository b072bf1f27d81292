import ContentModel
import ContentSource

/// A file in one encoding, with its metadata, from which responses are made (RFC 9110, section 8).
struct Representation: Sendable {
  /// The place of the bytes.
  enum Content: Sendable {
    case bytes([UInt8])
    case file(ServedFile)
  }

  var content: Content
  var tag: EntityTag
  var type: String
  var cacheControl: String
  /// The coding of compressed bytes.
  var encoding: String?
  /// `true` if the encoding depends on the client.
  var varies = false

  /// Returns the response to a request: the whole, a part, or that nothing has changed (RFC 9110,
  /// section 13.2.2).
  func response(to request: PreviewRequest) -> PreviewResponse {
    if let wanted = request["if-match"], !tag.isNamed(in: wanted, weakly: false) {
      return PreviewResponse(.preconditionFailed, fields: fields)
    }
    if let known = request["if-none-match"], tag.isNamed(in: known, weakly: true) {
      return PreviewResponse(.notModified, fields: fields)
    }
    switch range(of: request) {
    case .whole: return response(.ok, range: 0..<length)
    case .part(let range):
      var response = response(.partialContent, range: range)
      response.fields.append(
        ("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"))
      return response
    case .unsatisfiable:
      return PreviewResponse(
        .rangeNotSatisfiable, fields: fields + [("content-range", "bytes */\(length)")])
    }
  }

  private func range(of request: PreviewRequest) -> ByteRange {
    guard !request.isHead, let range = request["range"] else { return .whole }
    // No `Last-Modified` is ever sent, so a date cannot match.
    if let condition = request["if-range"], condition != tag.text { return .whole }
    return ByteRange(range, length: length)
  }

  private func response(_ status: PreviewResponse.Status, range: Range<Int>) -> PreviewResponse {
    let body: PreviewResponse.Body =
      switch content {
      case .bytes(let bytes): .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
      case .file(let file): .file(file, range)
      }
    return PreviewResponse(status, fields: fields + [("content-type", type)], body: body)
  }

  private var length: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.size
    }
  }

  private var fields: [(name: String, value: String)] {
    var fields = [("etag", tag.text), ("cache-control", cacheControl), ("accept-ranges", "bytes")]
    if let encoding { fields.append(("content-encoding", encoding)) }
    if varies { fields.append(("vary", "accept-encoding")) }
    return fields
  }
}

extension Representation {
  /// Creates a representation of a file that a later build may replace, so that clients must
  /// revalidate it.
  init(bytes: [UInt8], type: String) {
    self.init(
      content: .bytes(bytes), tag: EntityTag(Digest(of: bytes).hex), type: type,
      cacheControl: "no-cache")
  }

  /// Creates a representation of an object, which never changes.
  init(object: [UInt8], digest: Digest, type: String) {
    self.init(
      content: .bytes(object), tag: EntityTag(digest.hex), type: type,
      cacheControl: .forever)
  }
}
