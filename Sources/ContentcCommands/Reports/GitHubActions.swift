package import ContentModel
package import Diagnostics
import System
import SystemC

/// The step of GitHub Actions in which the command runs.
package enum GitHubActions {
  /// `true` if the command runs in GitHub Actions.
  package static var isRunning: Bool {
    Environment.value(of: "GITHUB_ACTIONS")?.hasSameBytes(as: "true") ?? false
  }

  /// Appends sections to the job summary of the step.
  ///
  /// The summary informs only, so a failure is a note, and the exit status stays the same.
  package static func append(_ sections: [JobSummary]) {
    guard !sections.isEmpty, let path = Environment.value(of: "GITHUB_STEP_SUMMARY"), !path.isEmpty
    else { return }
    do {
      // Without O_NONBLOCK, opening a FIFO waits for a reader.
      let file = try Descriptor(path, flags: O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK)
      var room = JobSummary.limit - Int(try file.status().st_size)
      for section in sections {
        let text = Array(section.markdown(within: room).utf8)
        room -= text.count
        try file.write(text)
      }
    } catch {
      try? Terminal.error.write(
        "note: the job summary cannot be written: \(Failure(writing: path, error).diagnostic.message)\n"
      )
    }
  }
}

/// The folder from which services count the paths of files: the root of the repository.
package struct RepositoryRoot: Sendable {
  /// The path of the folder, and the one without symbolic links.
  private let paths: [String]

  /// The folder that GitHub Actions or GitLab CI names, else the repository around the current
  /// folder, else the current folder.
  package init() {
    let named = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].compactMap { Environment.value(of: $0) }
    let path =
      named.first { !$0.isEmpty } ?? ResolvedPath(FolderPath.current).gitFolder
      ?? FolderPath.current
    let given = FolderPath.shortest(FolderPath.absolute(path))
    paths = [given, NamedOutput(given).resolved]
  }

  /// Returns the path of a file from the root of the repository, or its absolute path if it is
  /// outside.
  package func path(_ typed: ExactString) -> String {
    let absolute = FolderPath.shortest(FolderPath.absolute(typed.text))
    for root in paths {
      let start = root.hasByteSuffix("/") ? root : root + "/"
      if absolute.hasBytePrefix(start) { return absolute.dropping(start) }
    }
    return absolute
  }
}
