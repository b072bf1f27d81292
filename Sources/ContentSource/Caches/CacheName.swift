package import ContentModel

/// The name of a cache in `content.yaml`: a program or a vendor's CDN.
///
/// Its members are the facts that the checks of a content folder and the staleness bound need. The
/// module ContentCaches has the rest: purges, and the configuration that `contentc server` prints.
package enum CacheName: String, CaseIterable, Sendable {
  /// A CDN of a vendor.
  case akamai, bunny, cloudflare, cloudfront, fastly, frontdoor, google
  /// A self-hosted program.
  case nginx, squid, trafficserver, varnish

  private var facts: Facts {
    switch self {
    case .akamai:
      Facts([
        .name("host", "the host of the API that belongs to the credentials"),
        .secret("clientToken", "the API client's client token"),
        .secret("clientSecret", "the API client's client secret"),
        .secret("accessToken", "the API client's access token"),
        .choice(
          "network", ["production", "staging"], "the network to purge, by default the first"),
        .keys, .api,
      ])
    case .bunny:
      Facts([
        .name("pullZone", "the id of the pull zone"), .secret("token", "the account's API key"),
        .keys, .api,
      ])
    case .cloudflare:
      Facts([
        .name("zone", "the id of the zone"),
        .secret("token", "an API token that may purge the zone"),
        .choice(
          "plan", ["free", "pro", "business", "enterprise"],
          "the zone's plan, which has its own limits, by default the first"),
        .keys, .api,
      ])
    case .cloudfront:
      Facts([
        .name("distribution", "the id of the distribution"),
        .secret("accessKey", "the id of an access key"),
        .secret("secretKey", "the secret of the access key"),
        .secret("sessionToken", "the session token of temporary credentials", isRequired: false),
        .keys, .api,
      ])
    case .fastly:
      // Fastly documents that it counts `Age`.
      Facts(
        [
          .name("service", "the id of the service"),
          .secret("token", "an API token that may purge the service"), .keys, .api,
        ], age: .counted)
    case .frontdoor:
      Facts([
        .name("subscription", "the id of the subscription"),
        .name("resourceGroup", "the name of the resource group"),
        .name("profile", "the name of the profile"), .name("endpoint", "the name of the endpoint"),
        .secret("token", "an access token that may purge the endpoint"), .api,
      ])
    case .google:
      Facts([
        .name("project", "the id of the project"), .name("urlMap", "the name of the URL map"),
        .secret("token", "an access token that may invalidate the URL map"), .keys, .api,
      ])
    case .nginx:
      // nginx neither counts nor sends `Age` (nginx#1234), and compares whole seconds: in a
      // measurement, it served a response with a lifetime of 4 s for 4.8 s.
      Facts([.nodes, .purgeToken], age: .reset, rounding: .seconds(1))
    case .squid: Facts([.nodes, .purgeToken], age: .counted)
    case .trafficserver:
      // Traffic Server cannot check a token, and restricts purging by address only. Like nginx, it
      // compares whole seconds.
      Facts([.nodes], age: .counted, rounding: .seconds(1))
    case .varnish: Facts([.nodes, .keys, .purgeToken], age: .counted)
    }
  }

  private struct Facts {
    let settings: [Setting]
    let age: AgeHandling
    let rounding: TimeSpan

    init(_ settings: [Setting], age: AgeHandling = .undocumented, rounding: TimeSpan = .zero) {
      (self.settings, self.age, self.rounding) = (settings, age, rounding)
    }
  }

  /// The keys that the cache can have in `content.yaml`.
  package var settings: [Setting] { facts.settings }

  /// `true` if the cache is known to count the received `Age`, and to send `Age`.
  package var countsAge: Bool { ageHandling == .counted }

  /// The greatest time for which the cache can serve a response past its lifetime.
  ///
  /// The value is zero if no such time is documented or measured.
  package var rounding: TimeSpan { facts.rounding }

  /// The way in which the cache treats `Age`, by documentation or by measurement.
  package var ageHandling: AgeHandling { facts.age }

  /// The ways in which caches treat `Age` (RFC 9111, section 4.2.3).
  package enum AgeHandling: Hashable, Sendable {
    /// The cache counts the received `Age`, and sends `Age`.
    case counted
    /// The cache neither counts nor sends `Age`.
    case reset
    /// The vendor does not document how the cache treats `Age`.
    case undocumented
  }
}

extension CacheName {
  /// A key of a cache in `content.yaml`.
  package struct Setting: Hashable, Sendable {
    /// The kinds of values.
    package enum Kind: Hashable, Sendable {
      /// The name of an environment variable whose value, an identifier, becomes a part of an
      /// address.
      case name
      /// The name of an environment variable with a credential.
      case secret
      /// One or more addresses that begin with `http://` or `https://`.
      case addresses
      /// The address of a vendor's API, which begins with `https://`.
      case vendorAddress
      /// One of the listed words.
      case choice([String])

      /// `true` for the name of an environment variable.
      package var isVariable: Bool { self == .name || self == .secret }
    }

    /// The key.
    package let name: String
    /// The kind of its value.
    package let kind: Kind
    /// `true` if a purge requires the key.
    package let isRequired: Bool
    /// What the value is, as a part of a sentence.
    package let meaning: String

    static func name(_ name: String, _ meaning: String) -> Setting {
      Setting(name: name, kind: .name, isRequired: true, meaning: meaning)
    }

    static func secret(_ name: String, _ meaning: String, isRequired: Bool = true) -> Setting {
      Setting(name: name, kind: .secret, isRequired: isRequired, meaning: meaning)
    }

    static func choice(_ name: String, _ words: [String], _ meaning: String) -> Setting {
      Setting(name: name, kind: .choice(words), isRequired: false, meaning: meaning)
    }

    /// The machines of a self-hosted cache.
    package static let nodes = Setting(
      name: "nodes", kind: .addresses, isRequired: true, meaning: "the addresses of its machines")
    /// The token that a self-hosted cache checks.
    static let purgeToken = secret(
      "token", "the value of `Purge-Token` that its machines require", isRequired: false)
    /// Whether the origin sends surrogate keys.
    static let keys = choice(
      "keys", ["origin", "none"],
      "the sender of the surrogate keys that `contentc server` prints, by default none")
    /// An address that replaces the vendor's in tests.
    static let api = Setting(
      name: "api", kind: .vendorAddress, isRequired: false,
      meaning: "an address in place of the vendor's API, which receives the credentials")
  }
}
