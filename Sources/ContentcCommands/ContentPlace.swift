import ContentSource
import Diagnostics

/// Where a content folder is.
struct ContentPlace {
  /// As it was typed.
  var path: String

  /// Where content is unless told otherwise.
  static let usualPath = "content"
  /// The default output folder, beside the content folder.
  static let usualOutput = "out"

  /// The folder, listed; messages name it as it was typed.
  func open() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(at: path, name: path.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  /// The folder without its list, for what knows the paths of its files already.
  func unlisted() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(unlisted: path, name: path.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  /// Why a project above was not taken, where nothing else was named.
  private var foreignNotes: [String] {
    guard path == Self.usualPath, let foreign = ProjectLocation.found.foreign else { return [] }
    return ["'\(foreign)' belongs to another user, so that it is used only if --content names it"]
  }

  private func failure(_ problem: ContentFolder.Problem) -> Failure {
    switch problem {
    case .missing:
      Failure(
        .missingInput, "missing-content", "the content folder '\(path)' does not exist",
        notes: ["'contentc init' makes a small project; --content names another folder"] + foreignNotes)
    case .linksOutside:
      Failure(
        .inputOutput, "link-outside",
        "the content folder '\(path)' is a symbolic link that leads out of the folder that holds it",
        notes: ["name the folder itself with --content, if you trust it"])
    case .unreadable(let reason):
      Failure(.inputOutput, "unreadable-content", "the content folder '\(path)' cannot be read: \(reason)")
    default:
      Failure(.inputOutput, "unreadable-content", "the content folder '\(path)' cannot be read")
    }
  }
}
