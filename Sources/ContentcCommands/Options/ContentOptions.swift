import ArgumentParser
import ContentSource
import Diagnostics

/// Which content folder a command reads.
struct ContentOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder with content.yaml.", valueName: "folder"))
  var content = Self.usualFolder

  /// Where content is unless told otherwise.
  static let usualFolder = "content"

  /// The folder, listed; messages name it as it was typed.
  func open() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(at: content, name: content.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  /// The folder without its list, for what knows the paths of its files already.
  func unlisted() throws(Failure) -> ContentFolder {
    do {
      return try ContentFolder.disk(unlisted: content, name: content.withoutTrailingSlashes)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ problem: ContentFolder.Problem) -> Failure {
    switch problem {
    case .missing:
      Failure(
        .missingInput, "missing-content", "the content folder '\(content)' does not exist",
        notes: ["'contentc init' makes a small project; --content names another folder"])
    case .unreadable(let reason):
      Failure(.inputOutput, "unreadable-content", "the content folder '\(content)' cannot be read: \(reason)")
    default:
      Failure(.inputOutput, "unreadable-content", "the content folder '\(content)' cannot be read")
    }
  }
}

extension String {
  /// A folder's path as the beginning of another path; `.` is left out where it says nothing.
  var withoutTrailingSlashes: String {
    // By bytes: a no-op build has few milliseconds, and the views of characters would take half of one to set up.
    let bytes = utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "/") {
      end = bytes.index(before: end)
    }
    return end == bytes.startIndex || end == bytes.endIndex ? self : String(self[..<end])
  }
}
