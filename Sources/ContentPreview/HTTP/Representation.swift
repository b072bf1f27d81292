import ContentModel

/// A file in the form in which it is sent, and what is said of it.
struct Representation: Sendable {
  /// Where its bytes are.
  enum Content: Sendable {
    case bytes([UInt8])
    case file(ServedFile)
  }

  var content: Content
  var tag: EntityTag
  var type: String
  var cacheControl: String
  /// Of the bytes, where they are compressed.
  var encoding: String?
  /// Whether another client may get it in another encoding.
  var varies = false

  /// The answer to a question about it: whole, in part, or that nothing has changed (RFC 9110,
  /// section 13.2.2).
  func response(to request: PreviewRequest) -> PreviewResponse {
    if let wanted = request["if-match"], !tag.isNamed(in: wanted, weakly: false) {
      return PreviewResponse(.preconditionFailed, fields)
    }
    if let known = request["if-none-match"], tag.isNamed(in: known, weakly: true) {
      return PreviewResponse(.notModified, fields)
    }
    switch range(asked: request) {
    case .whole: return response(.ok, 0..<length)
    case .part(let range):
      var response = response(.partialContent, range)
      response.fields.append(
        ("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"))
      return response
    case .unsatisfiable:
      return PreviewResponse(
        .rangeNotSatisfiable, fields + [("content-range", "bytes */\(length)")])
    }
  }

  private func range(asked request: PreviewRequest) -> ByteRange {
    guard !request.isHead, let range = request["range"] else { return .whole }
    // A date is never sent, so none is the file's.
    if let condition = request["if-range"], condition != tag.text { return .whole }
    return ByteRange(range, length: length)
  }

  private func response(_ status: PreviewResponse.Status, _ range: Range<Int>) -> PreviewResponse {
    let body: PreviewResponse.Body =
      switch content {
      case .bytes(let bytes): .bytes(range.count == bytes.count ? bytes : Array(bytes[range]))
      case .file(let file): .file(file, range)
      }
    return PreviewResponse(status, fields + [("content-type", type)], body)
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
