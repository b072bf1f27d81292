import ContentModel
package import ContentSource

/// The classes of paths at a target, their headers, and patterns of file names.
enum ServedPaths {
  static let forever = String.forever
  /// The `Cache-Control` of all other files, such as purge manifests and names for people.
  static let asked = "public, max-age=0, must-revalidate"

  /// The folder of files that never change.
  static let objects = "/objects/"
  /// The pattern of the folders of records, which never change and have one representation.
  ///
  /// The first part of a path is the channel.
  static let records = "/[^/]+/releases/"
  /// The pattern of config, the only file of a channel that changes.
  static let config = "/([^/]+)/config\\.(?:plist|json)"
  /// The pattern of one part of a path.
  static let part = "[A-Za-z0-9_-][A-Za-z0-9_.-]*"
  /// The pattern of the lock and of unfinished files.
  static let unfinished = "/\\.contentc"

  /// The values of `Content-Type` and their file extensions; quoted if a server would split them.
  static var types: [(type: String, endings: [String])] {
    MediaType.all.map { row in
      let header = MediaType.header(row.type)
      return (header.contains(" ") ? "\"\(header)\"" : header, row.endings)
    }
  }
}

extension ServerSettings {
  /// The pattern of the only spelling of each path, without anchors.
  ///
  /// Servers refuse every other spelling (`//`, `/./`, `%2e`): a cache would keep the same bytes
  /// under it, and no purge would name it.
  var plainPath: String { "\(prefix.escapedForPatterns)(/\(ServedPaths.part))+" }

  /// The surrogate key of all objects of the app.
  var objectsKey: String { PurgeScope.objectsKey(app: app) }

  /// Returns the surrogate key of a channel's config; `channel` can be a variable of the server.
  func configKey(_ channel: String) -> String { PurgeScope.configKey(app: app, channel: channel) }

  /// Selects the headers that an origin sends for the caches before it; without known caches, the
  /// usual ones remain.
  package mutating func addHeaders(for caches: [CacheName]) {
    guard !caches.isEmpty else { return }
    let headers = caches.compactMap(\.cache.keyHeader)
    let known = ServerKind.all.compactMap(\.cache?.cache.keyHeader).distinct
    keyHeaders = known.filter(headers.contains)
    sendsSurrogateControl = caches.contains(where: \.cache.needsSurrogateControl)
  }

  /// Returns the first lines of a file as comments: its purpose, and the command that tries it.
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
    (self.name, self.text) = (name, text.hasByteSuffix("\n") ? text : text + "\n")
  }
}

extension String {
  /// The text as a pattern that matches only itself, for the characters that a prefix may have.
  var escapedForPatterns: String { replacing(".", with: "\\.").replacing("+", with: "\\+") }
}
