package import ContentModel
package import ContentReleases
package import ContentSource
package import Diagnostics
import PropertyLists

/// A channel's target and addresses, which receive publications and secrets.
package struct ChannelSettings {
  /// The keys of `content.yaml`, each with its value in one line; `nothing` for a missing key.
  package let lines: [(key: String, text: String)]
  private let channel: Channel

  package init(_ channel: Channel) {
    self.channel = channel
    let caches = channel.caches.map { cache in
      let settings = cache.settings.sorted { $0.key.precedesInBytes($1.key) }
      let words = settings.map { "\($0.key): \($0.value.joined(separator: " "))" }
      let name = cache.name.rawValue
      return words.isEmpty ? name : "\(name) (\(words.joined(separator: ", ")))"
    }
    lines = [
      ("target", channel.target), ("url", channel.url ?? "nothing"),
      ("cdn", caches.isEmpty ? "nothing" : caches.joined(separator: ", ")),
    ]
  }

  /// A line with the target, the public URL and the caches to purge.
  package var text: String {
    "Channel '\(channel.name)': "
      + lines.map { "\($0.key) \($0.text)".harmless }.joined(separator: "; ") + "\n"
  }

  /// The hash of each line; the record of a release has only these, because it is a public file.
  package var digests: Value {
    .dictionary(Members(lines.map { ($0.key, .string(Digest(of: Array($0.text.utf8)).hex)) }))
  }

  /// Returns warnings about settings that changed since a release; none if the release does not
  /// record them.
  package func warnings(against record: ReleaseRecord) -> [Diagnostic] {
    let known = record.settings
    let own = digests
    return lines.compactMap { key, text in
      guard let digest = known?[key]?.text, digest != own[key]?.text else { return nil }
      return warning(key, text: text, change: "different from that at release \(record.number)")
    }
  }

  /// Returns warnings about settings that differ from another `content.yaml`.
  package func warnings(against base: Channel?) -> [Diagnostic] {
    let before = base.map { ChannelSettings($0).lines.map(\.text) }
    return lines.enumerated().compactMap { index, line in
      guard before?[index].hasSameBytes(as: line.text) != true else { return nil }
      return warning(
        line.key, text: line.text,
        change: before.map { "different from before: '\($0[index])'" } ?? "new")
    }
  }

  private func warning(_ key: String, text: String, change how: String) -> Diagnostic {
    Diagnostic(
      .warning, rule: .changedAddress, at: channel.location,
      message: "'\(key)' of channel '\(channel.name)' is \(how)",
      notes: [
        Diagnostic.Note("it is now: \(text)"),
        Diagnostic.Note(
          "the next publication writes there and sends it the named secrets; see docs/reference/security.md"
        ),
      ])
  }
}
