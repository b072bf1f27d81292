package import ArgumentParser
import ContentReleases
import ContentSource

/// The option of a command whose release is signed elsewhere.
package struct DraftOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Write what must be signed into this new folder, and nothing to the target; 'contentc sign' "
        + "signs it, and 'contentc sign import' publishes it. Default: none.", valueName: "folder"),
    completion: .directory)
  package var draft: String?
  @Option(help: .hidden)
  private var prepare: String?
  @Option(help: .hidden)
  private var signatures: String?

  package func validate() throws {
    if let folder = prepare {
      throw ValidationError(
        "--prepare is now --draft \(folder); then 'contentc sign \(folder)' signs.")
    }
    if let folder = signatures {
      throw ValidationError(
        "--signatures is now a command, which needs no other option of this one: "
          + "contentc sign import \(folder)")
    }
  }

  /// Returns the request of a command to write a draft; `nil` without the option.
  package func request(by command: String) -> DraftRequest? {
    draft.map {
      DraftRequest(command: command, folder: DraftFolder($0.withoutTrailingSlashes))
    }
  }
}
