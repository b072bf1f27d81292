package import ArgumentParser
import ContentReleases
import System

/// The author and the commit of a release.
package enum Author {
  package static let help: ArgumentHelp = """
    The author, for 'history', which is a public file; empty for no name. Default: GITHUB_ACTOR, \
    GITLAB_USER_LOGIN or git's user.name.
    """

  /// Returns the given name, or else the one that the CI server or git provides; `nil` for an empty
  /// name.
  package static func name(_ given: String?, content: String) -> String? {
    if let given { return given.isEmpty ? nil : given }
    for variable in ["GITHUB_ACTOR", "GITLAB_USER_LOGIN"] {
      if let name = Environment.value(of: variable), !name.isEmpty { return name }
    }
    return repository(around: content)?.userName ?? homeName
  }

  /// Returns the commit that is checked out around the content folder; `nil` outside a repository.
  package static func commit(content: String) -> String? { repository(around: content)?.commit }

  private static func repository(around content: String) -> Repository? {
    Repository(around: FolderPath.shortest(FolderPath.absolute(content)))
  }

  /// The value of `user.name` in the user's configuration of git.
  private static var homeName: String? {
    let home = Environment.value(of: "HOME").map { "\($0)/.gitconfig" }
    let other =
      Environment.value(of: "XDG_CONFIG_HOME")
      ?? Environment.value(of: "HOME").map { "\($0)/.config" }
    for path in [home, other.map { "\($0)/git/config" }] {
      let bytes = path.flatMap { try? InputFile(path: $0).read() }
      if let name = bytes.flatMap({ Repository.userName(in: String(decoding: $0, as: UTF8.self)) })
      {
        return name
      }
    }
    return nil
  }
}
