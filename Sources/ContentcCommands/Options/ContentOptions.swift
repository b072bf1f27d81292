import ArgumentParser
import ContentSource
import Diagnostics

/// The content folder of a command.
struct ContentOptions: ParsableArguments {
  @Option(
    name: .customLong("content"),
    help: ArgumentHelp(
      "The folder that holds content.yaml. Default: 'content' in the current folder, else in "
        + "the nearest project above.",
      valueName: "folder"))
  var named: String?

  /// The folder that is named, or the one that is found.
  var content: String { named ?? ProjectLocation.found.content }

  /// The same without the flags.
  var place: ContentPlace { ContentPlace(path: content) }

  /// The folder, listed; messages name it as it was typed.
  func open() throws(Failure) -> ContentFolder { try place.open() }

  /// The folder without its list.
  func unlisted() throws(Failure) -> ContentFolder { try place.unlisted() }
}

extension ContentInput {
  /// Reads the folder that the flags name.
  init(_ options: ContentOptions) throws(Failure) { self.init(reading: try options.open()) }
}

/// The option that names the output folder.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("out"),
    help: ArgumentHelp(
      "The output folder. Default: 'out' beside the content folder; with --content, 'out' in "
        + "the current folder.",
      valueName: "folder"))
  var named: String?

  /// Returns the given folder, or the default for the content folder.
  func folder(_ input: ContentOptions) -> String { Self.folder(named, content: input.named) }

  /// The same for options that were read otherwise.
  static func folder(_ named: String?, content: String?) -> String {
    named ?? (content == nil ? ProjectLocation.found.out : ContentPlace.usualOutput)
  }
}

/// Options of other commands that mean nothing to this one, so that all can be called with the same
/// ones.
struct UnusedOptions: ParsableArguments {
  @Option(name: .customLong("out"), help: .hidden)
  var out: String?
}
