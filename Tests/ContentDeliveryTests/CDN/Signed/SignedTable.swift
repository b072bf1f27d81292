import ContentModel
import PropertyLists
import TestServers

/// What a script prints of how others sign: a value a line, in JSON.
enum SignedTable {
  /// Runs a script of `Scripts` with a Python.
  static func rows(_ script: String, python: [String]) throws -> [Value] {
    let folder = try ScratchFolder()
    let code = "import sys, runpy; sys.stdout = open(sys.argv[1], 'w'); runpy.run_path(sys.argv[2])"
    let arguments =
      python + [
        "-c", code, folder.path("table"), "\(root)/Tests/ContentDeliveryTests/Scripts/\(script)",
      ]
    try Program.run(arguments[0], Array(arguments.dropFirst()))
    return try folder.read("table").split(separator: "\n").map {
      try PropertyList.decode(Array($0.utf8)).value
    }
  }

  /// A program of `.build/tools`.
  static func tool(_ path: String) -> String { "\(root)/.build/tools/\(path)" }

  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5).joined(
      separator: "/")
}
