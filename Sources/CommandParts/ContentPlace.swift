package import CommandReports
package import ContentBuild
package import ContentSource
import Diagnostics

/// The path of a content folder.
package struct ContentPlace {
  /// The path, as it was typed.
  package var path: String

  package init(path: String) { self.path = path }

  /// The default path of the content folder.
  package static let usualPath = "content"
  /// The default output folder, beside the content folder.
  package static let usualOutput = "out"

  /// Opens the folder and lists its files; messages have the path as it was typed.
  package func open() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(at: path, name: path.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  /// Opens the folder for a caller that knows the paths of its files.
  package func unlisted() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(unlisted: path, name: path.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  /// Returns the project of `content.yaml`; reads no other file.
  package func project() throws -> Project {
    var folder = try unlisted()
    folder.items = [ContentFolder.Item(path: "content.yaml")]
    if let project = ContentReader.read(folder).output?.project { return project }
    throw Failure(missingProjectIn: path)
  }

  private func failure(_ problem: ContentFolder.Problem) -> Failure {
    Failure(BuildError.content(path: path, problem))
  }
}

extension Failure {
  /// Creates the failure for a content folder whose `content.yaml` is no project.
  package init(missingProjectIn content: String) {
    self.init(
      .missingInput, "missing-project", "'\(content)/content.yaml' cannot be read as a project",
      notes: ["'contentc check' lists its mistakes"])
  }

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
