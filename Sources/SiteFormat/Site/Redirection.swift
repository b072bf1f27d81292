import ContentModel

/// Redirections as readers of a site follow them: a few, all to the same origin.
package enum Redirection {
  /// The most redirections of a request.
  package static let limit = 3
  /// The status that readers give to an answer that leads to another origin, or in a circle.
  package static let refused = 310

  /// Returns whether a status of HTTP is that of a redirection.
  package static func isOne(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Returns the address to which `Location` leads from a site's address; `nil` if that is another
  /// origin.
  package static func address(of location: String, from url: String) -> String? {
    let scheme = url.hasBytePrefix("https://") ? "https://" : "http://"
    let origin = scheme + url.dropFirst(scheme.utf8.count).prefix { $0 != "/" }
    if location.hasBytePrefix("/"), !location.hasBytePrefix("//") { return origin + location }
    return location.hasBytePrefix("\(origin)/") ? location : nil
  }
}
