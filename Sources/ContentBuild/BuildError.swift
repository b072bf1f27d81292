package import ContentSource
package import Diagnostics
package import System

/// An error outside the content that prevents a build.
package enum BuildError: Error, Hashable, Sendable {
  /// The output folder is inside the content folder.
  case outputInContent
  /// The content folder, as it was typed, cannot be opened.
  case content(path: String, ContentFolder.Problem)
  /// The address of the cache is invalid, for a reason in one sentence.
  case cacheAddress(reason: String)
}

extension BuildError {
  /// The diagnostic to print.
  package var diagnostic: Diagnostic {
    switch self {
    case .outputInContent:
      .error(
        .outputInContent, at: nil,
        message: "--out must not be in the content folder, whose files are sources")
    case .content(let path, let problem): Self.diagnostic(of: problem, at: path)
    case .cacheAddress(let reason): .error(.cacheAddress, at: nil, message: "--cache: \(reason)")
    }
  }

  private static func diagnostic(of problem: ContentFolder.Problem, at path: String) -> Diagnostic {
    switch problem {
    case .missing:
      .error(
        .missingContent, at: nil, message: "the content folder '\(path)' does not exist",
        notes: [
          Diagnostic.Note("'contentc init' makes a small project; --content names another folder")
        ])
    case .linksOutside:
      .error(
        .linkOutside, at: nil,
        message:
          "the content folder '\(path)' is a symbolic link that leads out of the folder "
          + "that holds it",
        notes: [Diagnostic.Note("name the folder itself with --content, if you trust it")])
    case .unreadable(let reason):
      .error(
        .unreadableContent, at: nil,
        message: "the content folder '\(path)' cannot be read: \(reason)")
    default:
      .error(.unreadableContent, at: nil, message: "the content folder '\(path)' cannot be read")
    }
  }
}

extension Diagnostic {
  /// Creates the error for a file of the output folder that cannot be written.
  package init(_ error: StoreError) {
    self = .error(.unwritable, at: nil, message: error.description)
  }
}
