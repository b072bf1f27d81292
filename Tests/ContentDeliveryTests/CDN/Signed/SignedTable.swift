import ContentModel
import PropertyLists
import TestServers

/// A table of reference signatures that a script prints, one JSON value per line.
enum SignedTable {
  /// Runs a script from `Scripts` with the given Python interpreter.
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

  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5).joined(
      separator: "/")
}
