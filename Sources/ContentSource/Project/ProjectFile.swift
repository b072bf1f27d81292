package import Diagnostics
import YAML

/// `content.yaml` as commands about channels read it, without any other file.
///
/// A command gets the values only if those that it uses have no mistakes. Mistakes in others do not
/// matter: an emergency does not wait until somebody has corrected them.
package struct ProjectFile: Sendable {
  private let settings: DeliverySettings
  private let mistakes: [SettingMistake]
  /// The diagnostics of the file's YAML, which may concern any setting: a mistake may have moved
  /// lines into other mappings, and an alias may use what is written elsewhere.
  private let syntax: [Diagnostic]
  private let folder: ContentFolder
  /// The names that the file declares.
  package let names: DeclaredNames

  /// Reads the file in a folder, whose list of files is not needed.
  ///
  /// - Throws: `ContentMistakes` if the folder has no `content.yaml`, or it is not readable as YAML.
  package init(in folder: ContentFolder) throws(ContentMistakes) {
    let files = ["content.yaml", "content.yml"].lazy.map { path in
      LoadedFile(path, in: folder, problem: nil, duplicateKeys: .error, store: YAMLStore())
    }
    guard let file = files.first(where: { !$0.isMissing }) else {
      throw ContentMistakes(ContentReader.missingProject(folder), in: folder)
    }
    syntax = file.diagnostics.ofProject
    guard let root = file.root else { throw ContentMistakes(syntax, in: folder) }
    let read = ProjectReading(root)
    (settings, mistakes, names) = (read.delivery, read.mistakes, DeclaredNames(read))
    self.folder = folder
  }

  /// The names of the channels.
  package var channelNames: [String] { settings.channels.map(\.name) }

  /// Returns a channel and the settings of its project, for a command that uses some of them; `nil`
  /// if there is no such channel.
  ///
  /// - Throws: `ContentMistakes`, as `settings` does.
  package func channel(
    _ name: String, using used: Set<ProjectSetting>
  ) throws(ContentMistakes) -> (channel: Channel, project: DeliverySettings)? {
    guard let channel = settings.channels.first(where: { $0.name == name }) else { return nil }
    return (channel, try settings(using: used, of: [name]))
  }

  /// Returns the values for a command that uses some settings, of the project and of some channels.
  ///
  /// Other settings with mistakes have their defaults.
  ///
  /// - Throws: `ContentMistakes` with all mistakes in the settings that the command uses.
  package func settings(
    using used: Set<ProjectSetting>, of channels: [String]
  ) throws(ContentMistakes) -> DeliverySettings {
    let found = mistakes.filter { $0.concerns(used, of: channels) }.map(\.diagnostic)
    let all = YAMLMistakes(syntax, in: folder).all(and: found)
    let errors = all.filter { $0.severity == .error }
    if errors.isEmpty { return settings }
    throw ContentMistakes(errors, in: folder)
  }
}

/// Mistakes in content, or in a file of the command line, with which a command cannot work.
package struct ContentMistakes: Error, CustomStringConvertible {
  package let diagnostics: [Diagnostic]
  /// The texts of the files with the mistakes.
  package let sources: SourceTexts

  init(_ diagnostics: [Diagnostic], in folder: ContentFolder) {
    (self.diagnostics, sources) = (diagnostics, SourceTexts(folder))
  }

  /// Creates the error for mistakes in the files of `sources`.
  package init(_ diagnostics: [Diagnostic], sources: SourceTexts) {
    (self.diagnostics, self.sources) = (diagnostics, sources)
  }

  /// Creates the error for content that has no tree.
  package init(in input: ContentInput) {
    (diagnostics, sources) = (input.diagnostics, input.sources)
  }

  /// The messages of the errors, for a log.
  package var description: String {
    diagnostics.filter { $0.severity == .error }.map(\.message).joined(separator: "; ")
  }
}

extension [Diagnostic] {
  /// The diagnostics of the YAML of `content.yaml`, which say how to begin an empty file.
  var ofProject: [Diagnostic] {
    map { $0.rule == .emptyDocument ? .emptyProject(at: $0.location) : $0 }
  }
}

extension Diagnostic {
  /// The lines of the smallest valid `content.yaml`.
  static let smallestProject = ["app: shop", "sourceLocale: en", "locales: [en]"]

  fileprivate static func emptyProject(at location: SourceLocation?) -> Diagnostic {
    let lines = smallestProject.map { "'\($0)'" }.joined(separator: ", ")
    return .error(
      .emptyDocument, at: location,
      message: "'content.yaml' must name the app and its locales, and has no key yet",
      notes: [
        Note("it needs three lines at least: \(lines)"),
        Note("'contentc init FOLDER' makes a small project in another folder, to compare with"),
      ])
  }
}

extension LoadedFile {
  fileprivate var isMissing: Bool { diagnostics.contains { $0.rule == .missingFile } }
}
