import ContentModel

/// The rules for requests that change content.
///
/// A page of another site can send forms and simple requests to this machine, with any body, and
/// does not need the response. So each request must prove that the preview's own page sent it: by
/// the origin, which pages cannot choose; by a media type and a field that browsers send to another
/// origin only after its consent, which is never given; and by a token, which no other page can
/// read. All are required, although each would suffice: a browser may have a fault.
struct ChangePolicy: Sendable {
  /// A secret of this process, for pages that this server sent.
  let token = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()

  /// The name of the field with the token.
  static let tokenField = "x-contentc-token"

  /// Throws an error unless the preview's own page on this machine sent a request.
  func check(
    _ request: PreviewRequest, host: String, localAddress: String?, mediaType: String
  ) throws(RequestError) {
    guard HostPolicy.isLocal(host: host, localAddress: localAddress) else {
      throw .refusedChange("only a browser on this machine may change content")
    }
    guard let origin = request["origin"],
      origin.hasSameBytes(as: "http://\(host.lowercased())")
    else {
      throw .refusedChange("only the preview's own page may change content")
    }
    if let site = request["sec-fetch-site"], site != "same-origin" {
      throw .refusedChange("only the preview's own page may change content")
    }
    let type = request["content-type"]?.split(separator: ";").first ?? ""
    guard type.lowercased() == mediaType else {
      throw RequestError(
        .unsupportedMediaType, message: "the body must have the type '\(mediaType)'")
    }
    guard request[Self.tokenField] == token else {
      throw .refusedChange("the page is from an earlier preview; reload it to save")
    }
  }
}

extension RequestError {
  fileprivate static func refusedChange(_ message: String) -> RequestError {
    RequestError(.forbidden, message: message)
  }
}
