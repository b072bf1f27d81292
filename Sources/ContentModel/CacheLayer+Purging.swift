extension CacheLayer {
  /// Whether `content.yaml` says all that it takes to purge it; what the named variables hold is
  /// another question.
  public var isPurgeable: Bool {
    let needed = Self.settingsForPurging(name)
    return !needed.isEmpty && needed.allSatisfy { !(settings[$0] ?? []).isEmpty }
  }

  /// What an adapter cannot do without.
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

  /// What it may keep an answer longer than it was told to.
  ///
  /// nginx and Traffic Server compare whole seconds: an answer that may be kept for 4 s was served
  /// for 4.8 s.
  public var rounding: TimeSpan { name == "nginx" || name == "trafficserver" ? .seconds(1) : .zero }
}
