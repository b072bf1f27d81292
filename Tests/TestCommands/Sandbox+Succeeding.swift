import ContentModel
import PropertyLists
import Testing

extension Sandbox {
  /// Runs `contentc`, which must succeed; returns its JSON if an argument asks for it.
  func succeed(
    _ arguments: [String], environment: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    let done = try run(Self.binary, arguments, environment: environment)
    try #require(done.status == 0, "\(arguments): \(done.errors)", sourceLocation: location)
    return arguments.contains("--json")
      ? try PropertyList.decode(Array(done.output.utf8), as: .json).value : nil
  }
}
