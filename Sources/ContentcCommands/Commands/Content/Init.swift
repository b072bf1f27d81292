import ArgumentParser
import ContentBuild
import ContentModel
import ContentSource
import Diagnostics
import System
import SystemC

/// Creates a small project.
struct Init: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a small project that builds.",
    discussion: help(
      """
      Writes the content of a bakery: 'content.yaml', two datatypes, three entries, their \
      differences in French and on tablets, and texts in two languages. A folder that has \
      'content' already is not changed.
      """))

  static let examples = """
    contentc init bakery    # in a new folder
    contentc init           # in the current folder
    """
  static let reads: Set<CommandSource> = []
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(["folder": .string], "the project's folder"),
    ResultRow(["files[]": .string], "the paths of the files that were written"),
  ]

  @Argument(
    help: ArgumentHelp(
      "The folder for 'content' and '.gitignore'; created if it is missing.", valueName: "folder"),
    completion: .directory)
  var folder = "."
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let root = folder.withoutTrailingSlashes
    guard !exists(path("content")) else {
      throw Failure(
        .usage, .contentExists,
        "'\(path("content"))' exists already, and 'init' changes no existing content",
        notes: ["choose another folder: contentc init bakery"])
    }
    // Of these files, only `.gitignore` can exist already.
    let files = Starter.files.filter { !exists(path($0.path)) }
    for file in files { try write(file) }
    let contentFiles = files.count { $0.path.hasPrefix("content/") }
    let isIgnoring = files.count == Starter.files.count
    let ignoring = isIgnoring ? ", and \(path(".gitignore"))" : ""
    let advice = isIgnoring ? "" : "Add 'out/', 'site/' and '.contentc/' to your .gitignore.\n"
    let enter = root == "." ? "" : "  cd \(root)\n"
    return Report(
      text: """
        Made \(path("content")) with \(contentFiles.counted("file"))\(ignoring). Next:
        \(enter)  contentc build      # compiles content/ into out/
          contentc explain product/croissant --locale fr --device tablet
          contentc check      # looks for mistakes while you edit
        \(advice)
        """,
      json: Members([
        ("folder", .string(root)), ("files", .array(files.map { .string(path($0.path)) })),
      ]))
  }

  /// Returns the path of a file of the project.
  private func path(_ name: String) -> String {
    folder == "." ? name : "\(folder.withoutTrailingSlashes)/\(name)"
  }

  private func write(_ file: Starter.File) throws {
    try FolderPath.make(FolderPath.parent(of: path(file.path)))
    try AtomicFile(path(file.path)).write(file.bytes)
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
