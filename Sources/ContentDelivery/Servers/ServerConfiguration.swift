/// What `contentc server` prints: the files of a server.
package struct ServerConfiguration: Sendable {
  package let name: ServerName
  /// In the order in which they are read; one for most.
  package let files: [ServerFile]

  /// The configuration of a server that is run by oneself, or the settings of one that is not.
  package init(_ name: ServerName, _ settings: ServerSettings) {
    self.name = name
    var settings = settings
    if name.needsUpstream, settings.upstream == nil { settings.upstream = .placeholder }
    files = Self.files(name, settings, settings.upstream ?? .placeholder)
  }

  private static func files(_ name: ServerName, _ settings: ServerSettings, _ upstream: Upstream) -> [ServerFile] {
    switch name {
    case .nginx: [settings.upstream.map(settings.nginxCache) ?? settings.nginxOrigin]
    case .varnish: [settings.varnish(before: upstream)]
    default: []
    }
  }
}
