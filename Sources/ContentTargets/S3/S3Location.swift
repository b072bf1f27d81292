import ContentModel

/// The URLs of a bucket's requests.
struct S3Location: Sendable {
  /// The bucket's name in messages.
  let name: String
  let region: String
  /// The value of the signed header `Host`: the host, with the port unless it is the scheme's
  /// default.
  let host: String
  /// The prefix of every key: empty, or with a `/` at its end.
  let prefix: String
  /// The path of the endpoint: empty, or with a `/` at its beginning.
  let base: String
  private let scheme: String
  private let folder: String
  /// The beginning of the host that names the bucket; `nil` if the path names it.
  private let hostPrefix: String?

  /// Combines an address with the settings; the address has precedence.
  ///
  /// - Throws: `.unusable` if the endpoint is invalid.
  init(_ address: S3Address, settings: S3Settings) throws(TargetError) {
    name = address.shown
    prefix = address.prefix
    region = address.region ?? settings.region ?? "us-east-1"
    var endpoint = address.endpoint
    if endpoint == nil, let text = settings.endpoint {
      do { endpoint = try S3Address.endpoint(text) } catch { throw TargetError(error) }
    }
    // No certificate of Amazon covers the two levels of subdomains that a dot would make.
    let isInHost =
      address.addressing.map { $0 == .virtual }
      ?? (endpoint == nil && !address.bucket.contains("."))
    let place = endpoint ?? Self.amazon(region)
    scheme = place.hasPrefix("https://") ? "https://" : "http://"
    var authority = String(place.dropFirst(scheme.count).prefix { $0 != "/" })
    base = String(place.dropFirst(scheme.count + authority.count))
    let port = scheme == "https://" ? ":443" : ":80"
    if authority.hasSuffix(port) { authority.removeLast(port.count) }
    hostPrefix = isInHost ? "\(address.bucket)." : nil
    host = "\(hostPrefix ?? "")\(authority)"
    folder = isInHost ? "\(base)/" : "\(base)/\(address.bucket)/"
  }

  /// Returns the unescaped path of a key; of the bucket for an empty key.
  func path(_ key: String) -> String {
    key.isEmpty && folder.utf8.count > 1 ? String(folder.dropLast()) : folder + key
  }

  /// The scheme and the host of all requests.
  var origin: String { scheme + host }

  /// Returns the endpoint whose requests go to an origin.
  ///
  /// Requests add the bucket's name to the endpoint's host if it is in the host.
  func endpoint(ofOrigin origin: String) -> String {
    guard let hostPrefix else { return origin }
    for scheme in ["https://", "http://"] where origin.hasPrefix(scheme + hostPrefix) {
      return scheme + origin.dropFirst(scheme.count + hostPrefix.count)
    }
    return origin
  }

  func url(_ request: S3Request) -> String {
    let query = request.query.isEmpty ? "" : "?\(URLEscape.query(request.query))"
    return origin + URLEscape.path(path(request.key)) + query
  }

  private static func amazon(_ region: String) -> String {
    "https://s3.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
  }
}
