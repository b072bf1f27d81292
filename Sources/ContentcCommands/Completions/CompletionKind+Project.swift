import ArgumentParser
import ContentCaches
import ContentModel
import ContentPreview
import ContentReleases
import ContentSource
import Diagnostics
import System
import SystemC

/// The values that a shell offers for arguments and options.
///
/// The shell runs `contentc` for the values of the project, so finding them takes no lock, no
/// network and no other program, and writes nothing. A project that cannot be read has no values.
extension CompletionKind {
  static let channels = project { $0.declared.channels }
  static let locales = project { $0.declared.locales.map(\.identifier) }
  static let translatedLocales = project { names in
    names.declared.locales.filter { $0 != names.declared.sourceLocale }.map(\.identifier)
  }
  static let devices = project { [DeviceTree.root] + $0.declared.devices }
  static let bundles = project { $0.declared.bundles }
  static let caches = project { $0.declared.caches.map(\.rawValue) }
  static let datatypes = project { $0.datatypes }
  static let entries = project { $0.ids(beginning: $1) }
  /// The subjects of a purge: a word without a slash is the channel.
  static let purged = project { $0.declared.channels + $0.ids(beginning: $1) }
  /// The entries that a purge removed, or all of them.
  static let unpurged = project { ["all"] + $0.ids(beginning: $1) }
  /// The rules, of which each command has an option: a list would be in the script for each of them.
  static let rules = CompletionKind.custom { _, _, _ in Rule.all.map(\.name).completions }
  static let warnings = CompletionKind.custom { _, _, _ in
    Rule.all.filter { $0.level != .error }.map(\.name).completions
  }
  static let countries = CompletionKind.custom { _, _, _ in Country.all.map(\.code).completions }
  static let changes = CompletionKind.list(ReleaseDiff.Kind.allCases.map(\.rawValue))
  static let servers = CompletionKind.list(ServerKind.all.map(\.name))
  static let editors = CompletionKind.list(EditorLink.names)
  static let yamlFiles = CompletionKind.file(extensions: ["yaml", "yml"])

  private static func project(
    _ values: @escaping @Sendable (ProjectNames) -> [String]
  ) -> CompletionKind {
    project { names, _ in values(names) }
  }

  private static func project(
    _ values: @escaping @Sendable (_ names: ProjectNames, _ word: String) -> [String]
  ) -> CompletionKind {
    .custom { words, index, _ in
      limitTime()
      defer { alarm(0) }
      let line = TypedLine(words)
      guard let content = line.content, let names = ProjectNames(in: content) else { return [] }
      let word = line.value(at: index)
      let offered = values(names, word).completions
      guard offered.count > valueLimit else { return offered }
      return Array(offered.lazy.filter { $0.hasBytePrefix(word) }.prefix(valueLimit))
    }
  }

  /// The most values that a Tab offers.
  ///
  /// bash takes half a second for them, and half a minute for twenty times as many.
  private static let valueLimit = 20_000

  /// Ends the process after two seconds without a value, so that no project blocks a shell.
  private static func limitTime() {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(2)
  }
}

extension [String] {
  /// The values that are safe in every shell.
  ///
  /// bash expands the words that it is offered, and would run the commands in them. Names of
  /// projects have letters, digits and few other characters, so nothing that is needed is lost.
  var completions: [String] {
    filter { word in
      word.utf8.first.map { UInt8.isLetterOrDigit($0) } ?? false
        && word.utf8.allSatisfy { UInt8.isLetterOrDigit($0) || "-_./".utf8.contains($0) }
    }
  }
}

extension UInt8 {
  fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
