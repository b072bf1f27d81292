package import ArgumentParser

/// The options of a command whose signatures are made elsewhere.
package struct OfflineOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Write what is to be signed into this new folder, and nothing to the target. Default: none.",
      valueName: "folder"))
  package var prepare: String?
  @Option(
    help: ArgumentHelp(
      "Publish what --prepare wrote into this folder, with the signatures in it. Default: none.",
      valueName: "folder"))
  package var signatures: String?

  package func validate() throws {
    if prepare != nil, signatures != nil {
      throw ValidationError("--prepare and --signatures cannot be combined.")
    }
  }

  /// `true` if an option is set.
  package var isUsed: Bool { prepare != nil || signatures != nil }

  /// Returns the signing elsewhere of a command.
  package func of(_ command: String) -> OfflineSigning {
    OfflineSigning(command: command, prepare: prepare, signatures: signatures)
  }
}
