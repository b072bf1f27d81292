import ArgumentParser

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
