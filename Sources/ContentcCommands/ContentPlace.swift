package import ContentBuild
package import ContentSource
import Diagnostics

/// The path of a content folder.
package struct ContentPlace {
  /// The path, as it was typed.
  package var path: String
  /// The folder's name in messages: the path as it was typed, unless others must not see it.
  package var name: String

  package init(path: String, shownAs name: String? = nil) {
    (self.path, self.name) = (path, name ?? path.withoutTrailingSlashes)
  }

  /// The default path of the content folder.
  package static let usualPath = "content"
  /// The default output folder, beside the content folder.
  package static let usualOutput = "out"

  /// Opens the folder and lists its files; messages have the path as it was typed.
  package func open() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(at: path, name: name)
    } catch {
      throw failure(error)
    }
  }

  /// Opens the folder for a caller that knows the paths of its files.
  package func unlisted() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(unlisted: path, name: name)
    } catch {
      throw failure(error)
    }
  }

  /// Reads `content.yaml`, and no other file.
  package func projectFile() throws -> ProjectFile { try ProjectFile(in: unlisted()) }

  private func failure(_ problem: ContentFolder.Problem) -> Failure {
    Failure(BuildError.content(path: path, problem))
  }
}

extension Failure {
  /// Creates the failure of a build that could not begin.
  package init(_ error: BuildError) {
    let status: ExitStatus =
      switch error {
      case .content(_, .missing): .missingInput
      case .outputInContent, .content: .inputOutput
      case .cacheAddress: .usage
      }
    self.init(status, diagnostic: error.diagnostic)
    // Explains why the search skipped a project above the current folder.
    if case .content(ContentPlace.usualPath, .missing) = error,
      let foreign = ProjectLocation.found.foreign
    {
      self = noting(
        "'\(foreign)' belongs to another user and is used only if --content names it")
    }
  }
}
