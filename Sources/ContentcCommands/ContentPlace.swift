import CommandReports
import ContentBuild
import ContentSource
import Diagnostics

/// The path of a content folder.
struct ContentPlace {
  /// The path, as it was typed.
  var path: String

  /// The default path of the content folder.
  static let usualPath = "content"
  /// The default output folder, beside the content folder.
  static let usualOutput = "out"

  /// Opens the folder and lists its files; messages have the path as it was typed.
  func open() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(at: path, name: path.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  /// Opens the folder for a caller that knows the paths of its files.
  func unlisted() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(unlisted: path, name: path.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ problem: ContentFolder.Problem) -> Failure {
    Failure(BuildError.content(path: path, problem))
  }
}

extension Failure {
  /// Creates the failure of a build that could not begin.
  init(_ error: BuildError) {
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
