/// A cache between the origin and the app.
public struct CacheLayer: Hashable, Sendable {
  /// The adapter's name, such as `fastly`.
  public let name: String
  /// The values in `content.yaml` by key; ``known(settingsOf:)`` lists the keys.
  public var settings: [String: [String]]  // String keys: names of settings are ASCII

  /// A key of a cache in `content.yaml`.
  public struct Setting: Hashable, Sendable {
    /// The kinds of values.
    public enum Kind: Hashable, Sendable {
      /// The name of an environment variable, which holds a credential or an identifier.
      case variable
      /// One or more addresses that begin with `http://` or `https://`.
      case addresses
      /// One of some words.
      case choice([String])
    }

    /// The key.
    public let name: String
    /// The kind of its value.
    public let kind: Kind
  }

  /// The names of the adapters, in alphabetical order.
  public static let known = [
    "akamai", "bunny", "cloudflare", "cloudfront", "fastly", "google", "nginx", "squid",
    "trafficserver", "varnish",
  ]

  /// Creates a cache; `nil` if `name` is not in ``known``.
  public init?(_ name: String, settings: [String: [String]] = [:]) {  // String keys: as above
    guard Self.known.contains(name) else { return nil }
    (self.name, self.settings) = (name, settings)
  }

  /// `true` if the cache is known to count the `Age` that it receives, and to send one
  /// (RFC 9111, section 4.2.3).
  ///
  /// Measurements confirm this for Varnish, Squid and Traffic Server, documentation for Fastly.
  /// nginx does neither (nginx#1234); the other vendors do not document it.
  public var countsAge: Bool { ["fastly", "squid", "trafficserver", "varnish"].contains(name) }

  /// Returns the keys that a cache can have in `content.yaml`; none for an unknown name.
  ///
  /// `nodes` are the addresses of a self-hosted cache, and `api` replaces the address of the
  /// vendor's API. With `keys: origin`, the origin sends the surrogate keys that
  /// `contentc server` prints.
  public static func known(settingsOf name: String) -> [Setting] {
    let keys = Setting(name: "keys", kind: .choice(["origin", "none"]))
    let api = Setting(name: "api", kind: .addresses)
    return switch name {
    case "varnish": [Setting(name: "nodes", kind: .addresses), keys] + variables("token")
    case "nginx", "squid": [Setting(name: "nodes", kind: .addresses)] + variables("token")
    // Traffic Server cannot check a token: it restricts purging by address only.
    case "trafficserver": [Setting(name: "nodes", kind: .addresses)]
    case "fastly": variables("service", "token") + [keys, api]
    case "cloudflare":
      variables("zone", "token")
        + [
          Setting(name: "plan", kind: .choice(["free", "pro", "business", "enterprise"])), keys,
          api,
        ]
    case "cloudfront":
      variables("distribution", "accessKey", "secretKey", "sessionToken") + [keys, api]
    case "akamai":
      variables("host", "clientToken", "clientSecret", "accessToken")
        + [Setting(name: "network", kind: .choice(["production", "staging"])), keys, api]
    case "google": variables("project", "urlMap", "token") + [keys, api]
    case "bunny": variables("pullZone", "token") + [keys, api]
    default: []
    }
  }

  private static func variables(_ names: String...) -> [Setting] {
    names.map { Setting(name: $0, kind: .variable) }
  }
}

extension CacheLayer {
  /// `true` if `content.yaml` has every key that a purge requires.
  ///
  /// The values of the named environment variables are not checked.
  public var isPurgeable: Bool {
    let needed = Self.settingsForPurging(name)
    return !needed.isEmpty && needed.allSatisfy { !(settings[$0] ?? []).isEmpty }
  }

  /// Returns the keys that an adapter requires.
  private static func settingsForPurging(_ name: String) -> [String] {
    switch name {
    case "varnish", "nginx", "squid", "trafficserver": ["nodes"]
    case "fastly": ["service", "token"]
    case "cloudflare": ["zone", "token"]
    case "cloudfront": ["distribution", "accessKey", "secretKey"]
    case "akamai": ["host", "clientToken", "clientSecret", "accessToken"]
    case "google": ["project", "urlMap", "token"]
    case "bunny": ["pullZone", "token"]
    default: []
    }
  }

  /// The greatest time for which the cache can serve a response past its lifetime.
  ///
  /// nginx and Traffic Server compare whole seconds: in a measurement, they served a response with
  /// a lifetime of 4 s for 4.8 s.
  public var rounding: TimeSpan { name == "nginx" || name == "trafficserver" ? .seconds(1) : .zero }
}
