/// The name of a cache in `content.yaml`: of a program, or of a vendor's CDN.
public enum CacheName: String, CaseIterable, Sendable {
  /// A CDN of a vendor.
  case akamai, bunny, cloudflare, cloudfront, fastly, google
  /// A program on machines of one's own.
  case nginx, squid, trafficserver, varnish

  /// A key of a cache in `content.yaml`.
  public struct Setting: Hashable, Sendable {
    /// The kinds of values.
    public enum Kind: Hashable, Sendable {
      /// The name of an environment variable, which holds a credential or an identifier.
      case variable
      /// One or more addresses that begin with `http://` or `https://`.
      case addresses
      /// The address of a vendor's API, which begins with `https://`.
      case vendorAddress
      /// One of some words.
      case choice([String])
    }

    /// The key.
    public let name: String
    /// The kind of its value.
    public let kind: Kind
    /// `true` if a purge requires the key.
    public let isRequired: Bool

    init(_ name: String, kind: Kind, isRequired: Bool = false) {
      (self.name, self.kind, self.isRequired) = (name, kind, isRequired)
    }
  }

  /// The keys that the cache can have in `content.yaml`.
  ///
  /// `nodes` are the addresses of a self-hosted cache, and `api` replaces the address of the
  /// vendor's API. With `keys: origin`, the origin sends the surrogate keys that
  /// `contentc server` prints.
  public var settings: [Setting] {
    let nodes = Setting("nodes", kind: .addresses, isRequired: true)
    let token = Setting("token", kind: .variable)
    let keys = Setting("keys", kind: .choice(["origin", "none"]))
    let api = Setting("api", kind: .vendorAddress)
    return switch self {
    case .varnish: [nodes, keys, token]
    case .nginx, .squid: [nodes, token]
    // Traffic Server cannot check a token: it restricts purging by address only.
    case .trafficserver: [nodes]
    case .fastly: Self.credentials("service", "token") + [keys, api]
    case .cloudflare:
      Self.credentials("zone", "token")
        + [
          Setting("plan", kind: .choice(["free", "pro", "business", "enterprise"])), keys, api,
        ]
    case .cloudfront:
      Self.credentials("distribution", "accessKey", "secretKey")
        + [Setting("sessionToken", kind: .variable), keys, api]
    case .akamai:
      Self.credentials("host", "clientToken", "clientSecret", "accessToken")
        + [Setting("network", kind: .choice(["production", "staging"])), keys, api]
    case .google: Self.credentials("project", "urlMap", "token") + [keys, api]
    case .bunny: Self.credentials("pullZone", "token") + [keys, api]
    }
  }

  private static func credentials(_ names: String...) -> [Setting] {
    names.map { Setting($0, kind: .variable, isRequired: true) }
  }
}

extension CacheName {
  /// The ways in which caches treat `Age` (RFC 9111, section 4.2.3).
  enum AgeHandling: Hashable, Sendable {
    /// The cache counts the `Age` that it receives, and sends one.
    case counted
    /// It does neither.
    case reset
    /// Its vendor does not say.
    case undocumented
  }

  /// The way in which the cache treats `Age`.
  ///
  /// Measurements confirm this for Varnish, Squid and Traffic Server, documentation for Fastly.
  /// nginx does neither (nginx#1234); the other vendors do not document it.
  var ageHandling: AgeHandling {
    switch self {
    case .fastly, .squid, .trafficserver, .varnish: .counted
    case .nginx: .reset
    case .akamai, .bunny, .cloudflare, .cloudfront, .google: .undocumented
    }
  }

  /// `true` if the cache is known to count the `Age` that it receives, and to send one.
  public var countsAge: Bool { ageHandling == .counted }

  /// The greatest time for which the cache can serve a response past its lifetime.
  ///
  /// nginx and Traffic Server compare whole seconds: in a measurement, they served a response with
  /// a lifetime of 4 s for 4.8 s.
  public var rounding: TimeSpan {
    switch self {
    case .nginx, .trafficserver: .seconds(1)
    case .squid, .varnish: .zero
    case .akamai, .bunny, .cloudflare, .cloudfront, .fastly, .google: .zero
    }
  }
}
