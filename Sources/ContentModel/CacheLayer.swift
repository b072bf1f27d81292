/// A cache between the origin and the app, by the name of its adapter.
public struct CacheLayer: Hashable, Sendable {
  /// The adapter's name, such as `fastly`.
  public let name: String
  /// What `content.yaml` says of it, by the names of `known(settingsOf:)`.
  public var settings: [String: [String]]  // String keys: names of settings are ASCII

  /// What can be said of a cache in `content.yaml`.
  public struct Setting: Hashable, Sendable {
    /// What stands there.
    public enum Kind: Hashable, Sendable {
      /// The name of an environment variable: what it holds never stands in content.
      case variable
      /// Addresses that begin with `http://` or `https://`, one or several.
      case addresses
      /// One of some words.
      case choice([String])
    }

    /// Its key.
    public let name: String
    /// What stands there.
    public let kind: Kind
  }

  /// The caches that contentc knows how to purge.
  public static let known = [
    "akamai", "bunny", "cloudflare", "cloudfront", "fastly", "google", "nginx", "squid",
    "trafficserver", "varnish",
  ]

  /// A cache; `nil` if it is not a known one.
  public init?(_ name: String, settings: [String: [String]] = [:]) {  // String keys: as above
    guard Self.known.contains(name) else { return nil }
    (self.name, self.settings) = (name, settings)
  }

  /// Whether it is known to count the `Age` that it receives, and to pass one on.
  ///
  /// Varnish, Squid and Traffic Server were measured, Fastly documents it; nginx does neither
  /// (nginx#1234), and what the others do stands nowhere.
  public var countsAge: Bool { ["fastly", "squid", "trafficserver", "varnish"].contains(name) }

  /// What can be set for a cache of a name.
  ///
  /// `nodes` are the machines of a cache that is run by oneself, `api` an address in place of the
  /// vendor's own; `keys: origin` says that the origin sends the surrogate keys that `contentc
  /// server` prints.
  public static func known(settingsOf name: String) -> [Setting] {
    let keys = Setting(name: "keys", kind: .choice(["origin", "none"]))
    let api = Setting(name: "api", kind: .addresses)
    return switch name {
    case "varnish": [Setting(name: "nodes", kind: .addresses), keys] + variables("token")
    case "nginx", "squid": [Setting(name: "nodes", kind: .addresses)] + variables("token")
    // Nothing that comes with it asks for a token: whoever may purge is known by address alone.
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
