import ContentModel
import PropertyLists
import TestInputs
import TestServers
import Testing

/// A recorded table of requests and their signatures by a foreign library, one JSON value per line.
struct SignedTable: CustomTestStringConvertible, Sendable {
  static let s3 = SignedTable(name: "s3", python: ["/usr/bin/env", "python3"])
  static let cloudFront = SignedTable(name: "cloudfront", python: ["/usr/bin/env", "python3"])
  static let edgeGrid = SignedTable(
    name: "edgegrid", python: [Program.tool("edgegrid/bin/python3")])

  private static let folder = "Tests/ContentDeliveryTests"

  /// The name of the table in `Golden`, and of the script in `Scripts` that prints it.
  private let name: String
  /// The command of a Python interpreter that has the library.
  private let python: [String]

  var testDescription: String { name }

  /// The path of the recorded table from the root of the repository.
  var path: String { "\(Self.folder)/Golden/\(name).jsonl" }

  /// Returns the recorded rows.
  func rows() throws -> [Value] {
    try CheckedOutFiles.text(path).split(separator: "\n").map {
      try PropertyList.decode(Array($0.utf8), as: .json).value
    }
  }

  /// Returns the table as the installed library makes it.
  func printed() throws -> String {
    let scratch = try ScratchFolder()
    let script = CheckedOutFiles.path("\(Self.folder)/Scripts/\(name).py")
    // The shell separates the table from warnings of Python.
    try Program.run(
      "/bin/sh", ["-c", #"exec "$@" > "$0""#, scratch.path("table")] + python + ["-B", script])
    return try scratch.read("table")
  }
}
