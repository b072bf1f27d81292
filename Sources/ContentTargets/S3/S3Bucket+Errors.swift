import ContentModel
import HTTPTransport

extension S3Bucket {
  /// Returns the error for a request without an answer.
  func error(_ failure: HTTPFailure) -> TargetError {
    let place = "\(location.name) (\(location.host))"
    switch failure.kind {
    case .unconnected:
      return TargetError(
        .unreachable,
        "\(place) cannot be reached: \(failure); check the network, and the endpoint in the address"
      )
    case .untrusted:
      return TargetError(
        .unreachable,
        "\(place) is not trusted: \(failure); SSL_CERT_FILE can name a file with the certificate of who signed its own"
      )
    case .late, .lost:
      return TargetError(
        .unreachable, "\(place) does not answer in time: \(failure); run the command again")
    case .unreadable:
      return TargetError(.unreadable, "\(failure); \(location.name) did not take it")
    case .tooLong: return TargetError(.tooLarge, "\(place) cannot be requested: \(failure)")
    case .noLibrary, .unusable, .cancelled:
      return TargetError(
        failure.kind == .unusable ? .unusable : .failed, "\(place) cannot be requested: \(failure)")
    }
  }

  /// Returns the error for an answer with an unexpected status.
  func error(_ answer: HTTPAnswer, to request: S3Request) -> TargetError {
    let body = S3ErrorBody(answer.body, hiding: credentials)
    let region = body?.region ?? answer.header("x-amz-bucket-region")
    let isRedirection = (300..<400).contains(answer.status) && region == nil
    let (kind, rule) =
      isRedirection
      ? (.unusable, redirection(to: answer.header("Location")))
      : reason(code: body?.code, status: answer.status, region: region)
    let said = said(answer, to: request)
    return TargetError(kind, credentials.hidden(in: "\(location.name) \(rule) (\(said))"))
  }

  /// Returns what was requested and what the server answered, such as `GET of 'a': 404, NoSuchKey`.
  func said(_ answer: HTTPAnswer, to request: S3Request) -> String {
    let what = request.key.isEmpty ? "the list" : "'\(request.key)'"
    let body = S3ErrorBody(answer.body, hiding: credentials).map { ", \($0.quoted)" } ?? ""
    return "\(request.method.rawValue) of \(what): \(answer.status)\(body)"
  }

  private func reason(
    code: String?, status: Int, region: String?
  ) -> (kind: TargetError.Kind, rule: String) {
    switch code {
    case "NoSuchBucket": return (.missing, missing)
    case "SignatureDoesNotMatch":
      return (
        .denied,
        "does not accept the signature: check the secret access key, and that no proxy changes requests"
      )
    case "InvalidAccessKeyId", "InvalidClientTokenId":
      return (.denied, "does not know the access key: check AWS_ACCESS_KEY_ID or the profile")
    case "RequestTimeTooSkewed", "RequestExpired":
      return (.denied, "does not accept the time of the request: set this machine's clock")
    case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
      return (.denied, "does not accept the session token: get new credentials")
    case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect",
      "IncorrectEndpoint":
      return (.unusable, "is in another region: add 'region=\(region ?? "…")' to the address")
    case "NotImplemented":
      return (
        .failed,
        "cannot do this: it may not know conditional writes, which --single-writer does without"
      )
    case "QuotaExceeded", "XMinioStorageFull": return (.failed, "is full: make room")
    default: return reason(status: status, region: region)
    }
  }

  private func reason(
    status: Int, region: String?
  ) -> (kind: TargetError.Kind, rule: String) {
    switch status {
    case 401, 403:
      let actions = "s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket"
      return (.denied, "does not allow this: the credentials need \(actions)")
    case 300..<400:
      return (.unusable, "is in another region: add 'region=\(region ?? "…")' to the address")
    case 404: return (.missing, missing)
    case 500...: return (.failed, "has an error of its own: run the command again later")
    default: return (.failed, "does not do this")
    }
  }

  private var missing: String {
    location.base.isEmpty
      ? "is not there: make the bucket, or correct the address"
      : "is not there below the endpoint's path '\(location.base)': make the bucket, or correct the endpoint"
  }

  /// Returns the rule that a redirection breaks; a signed request cannot follow it.
  ///
  /// Only the origin of the new address is shown, since its query may have a signature.
  private func redirection(to address: String?) -> String {
    let setting = "in the address, or where Amazon's tools find it"
    guard let address, let end = origin(of: address) else {
      return "redirects requests: correct 'endpoint=' or 'region=' \(setting)"
    }
    let endpoint = location.endpoint(ofOrigin: end)
    return end == location.origin
      ? "redirects requests to another path, so it is not the address of an S3 interface: correct 'endpoint=' \(setting)"
      : "redirects requests to \(end): if that is the store, write 'endpoint=\(endpoint)' \(setting)"
  }

  /// Returns the scheme and the host of an address, or of this bucket for a path; `nil` for another
  /// text.
  private func origin(of address: String) -> String? {
    if address.hasBytePrefix("/"), !address.hasBytePrefix("//") { return location.origin }
    guard let scheme = ["https://", "http://"].first(where: address.hasBytePrefix) else {
      return nil
    }
    let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return WebURL.isAuthority(authority) ? scheme + authority : nil
  }
}
