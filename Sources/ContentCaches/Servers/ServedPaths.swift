import ContentModel

/// The classes of paths at a target, with the headers for readers and caches, and the patterns of
/// file names.
enum ServedPaths {
  static let forever = String.forever
  /// The header of all other files, such as purge manifests and names for people: ask each time.
  static let asked = "public, max-age=0, must-revalidate"

  /// The folder of files that never change.
  static let objects = "/objects/"
  /// The folders of records: they never change and have one representation.
  ///
  /// The first part of the path is the channel.
  static let records = "/[^/]+/releases/"
  /// The only file that changes and that apps must read.
  static let config = "/([^/]+)/config\\.(?:plist|json)"
  /// A pattern of one part of a path.
  static let part = "[A-Za-z0-9_-][A-Za-z0-9_.-]*"
  /// The lock, and files that are being written.
  static let unfinished = "/\\.contentc"

  /// Values of `Content-Type` by endings, as publishing has them; quoted where a server would split
  /// them.
  static var types: [(type: String, endings: [String])] {
    MediaType.all.map { row in
      let header = MediaType.header(row.type)
      return (header.contains(" ") ? "\"\(header)\"" : header, row.endings)
    }
  }
}

extension ServerSettings {
  /// A pattern of the one spelling that each path has, without its beginning and end.
  ///
  /// Every other spelling (`//`, `/./`, `%2e`) is refused: a cache would keep the same bytes under
  /// it, and no purge would name it.
  var plainPath: String { "\(prefix.escapedForPatterns)(/\(ServedPaths.part))+" }

  /// The key that all objects of the app bear.
  var objectsKey: String { PurgeScope.objectsKey(app: app) }

  /// The key of a channel's config; a variable of the server has the channel's name.
  func configKey(_ channel: String) -> String { PurgeScope.configKey(app: app, channel: channel) }

  /// Settles which headers an origin sends, by the caches before it; all of the usual ones where
  /// none is known.
  package mutating func addHeaders(for caches: [String]) {
    let known: [(cache: String, header: String)] = [
      ("varnish", "xkey"), ("fastly", "Surrogate-Key"), ("cloudflare", "Cache-Tag"),
      ("cloudfront", "Cache-Tag"),
      ("google", "Cache-Tag"), ("akamai", "Edge-Cache-Tag"), ("bunny", "CDN-Tag"),
    ]
    guard !caches.isEmpty else { return }
    keyHeaders = []
    for row in known where caches.contains(row.cache) && !keyHeaders.contains(row.header) {
      keyHeaders.append(row.header)
    }
    sendsSurrogateControl = caches.contains("squid")
  }

  /// The first lines of every file, as comments: what it is, and how it is tried.
  func heading(_ title: [String], run command: String, comment: String = "#") -> String {
    let origin = upstream.map { upstream in
      upstream.isPlaceholder
        ? [
          "It fetches from \(upstream.url), where the origins that contentc prints listen: --upstream URL names yours."
        ]
        : ["It fetches from \(upstream.url)."]
    }
    let lines =
      title + (origin ?? []) + [
        "Made by 'contentc server' for \(app); make it again when content.yaml changes.", "",
      ]
      + ["  mkdir -p \(state) && \(command)"]
    return lines.map { $0.isEmpty ? comment : "\(comment) \($0)" }.joined(separator: "\n")
  }
}

/// A file of a configuration.
package struct ServerFile: Sendable {
  package let name: String
  package let text: String

  init(named name: String, _ text: String) {
    (self.name, self.text) = (name, text.hasSuffix("\n") ? text : text + "\n")
  }
}

extension String {
  /// The text as a pattern that matches it literally, for the characters that a prefix may have.
  var escapedForPatterns: String { replacing(".", with: "\\.").replacing("+", with: "\\+") }
}
