import ContentModel

/// The state of the preview after a number of attempts to build.
struct PreviewState: Sendable {
  /// The last build without errors.
  struct GoodBuild: Sendable {
    var at: Instant
    var milliseconds: Int
    /// The members of `contentc build --json`.
    var facts: Members
  }

  /// A random text that identifies the process, since generations begin at 1 in each.
  var run = ""
  /// The number of attempts.
  var generation = 0
  /// `true` if the last attempt found no errors.
  var isGood = false
  var errors = 0
  var warnings = 0
  /// The diagnostics of the last attempt for the page.
  var diagnostics: Value = []
  /// The diagnostics of the last attempt for a terminal.
  var text = ""
  /// The reason why served edits cannot be written to the folder; `nil` if they can.
  var unwritten: ExactString?
  /// The last build without errors since the start.
  var build: GoodBuild?
  /// The digest of the served config; `nil` if there is none.
  var config: Digest?

  /// The last attempt as a server-sent event: `id`, `event` and `data`.
  var event: String {
    let digest = config.map { ",\"config\":\"\($0.hex)\"" } ?? ""
    let counts = "\"errors\":\(errors),\"warnings\":\(warnings)"
    return """
      id: \(generation)
      event: build
      data: {"generation":\(generation),"ok":\(isGood),\(counts)\(digest),\
      "written":\(unwritten == nil),"run":"\(run)"}\n\n
      """
  }
}
