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
