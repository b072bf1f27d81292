package import ArgumentParser
package import ContentSource
import Diagnostics

/// The content folder of a command.
package struct ContentOptions: ParsableArguments {
  @Option(
    name: .customLong("content"),
    help: ArgumentHelp(
      "The folder that holds content.yaml. Default: 'content' in the current folder, else in "
        + "the nearest project above.",
      valueName: "folder"), completion: .directory)
  package var named: String?

  package init() {}

  /// The named folder, or else the one of the nearest project.
  package var content: String { named ?? ProjectLocation.found.content }

  /// Opens the folder and lists its files; messages have the path as it was typed.
  package func open() throws(Failure) -> ContentFolder {
    try ContentPlace(path: content).open()
  }

  /// Opens the folder for a caller that knows the paths of its files.
  package func unlisted() throws(Failure) -> ContentFolder {
    try ContentPlace(path: content).unlisted()
  }
}

extension ContentInput {
  /// Reads the folder that the flags name.
  package static func read(
    _ options: ContentOptions, addingPseudoLocales: Bool = false
  ) throws(Failure) -> ContentInput {
    read(try options.open(), addingPseudoLocales: addingPseudoLocales)
  }
}

extension ArgumentHelp {
  /// The help of `--pseudo`.
  package static let pseudoLocales: ArgumentHelp =
    "Add the pseudo-locales en-XA (accents, 40 % longer) and ar-XB (right to left)."
}

/// The option that names the output folder.
package struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("out"),
    help: ArgumentHelp(
      "The output folder. Default: 'out' beside the content folder; with --content, 'out' in "
        + "the current folder.",
      valueName: "folder"), completion: .directory)
  package var named: String?

  package init() {}

  /// Returns the named folder, or the default for the content folder.
  package func folder(_ input: ContentOptions) -> String {
    Self.folder(named, content: input.named)
  }

  /// Returns the named folder, or the default for the content folder that `--content` names.
  package static func folder(_ named: String?, content: String?) -> String {
    named ?? (content == nil ? ProjectLocation.found.out : ContentPlace.usualOutput)
  }
}

/// Options without effect, so that all commands accept the same options.
package struct UnusedOptions: ParsableArguments {
  @Option(name: .customLong("out"), help: .hidden)
  private var out: String?

  package init() {}
}
