import ContentModel

/// What is known after some number of attempts to build.
struct PreviewState: Sendable {
  /// The last build that was whole.
  struct GoodBuild: Sendable {
    var at: Instant
    var milliseconds: Int
    /// What a program is told of it.
    var facts: Members
  }

  /// A text that no other run of the preview has: generations begin anew with each.
  var run = ""
  /// How many attempts there were.
  var generation = 0
  /// Whether the last one was whole.
  var isGood = false
  var errors = 0
  var warnings = 0
  /// What the last one found, for the page and as the terminal shows it.
  var diagnostics: Value = []
  var text = ""
  /// Why edits are served that are not in the folder; `nil` where they are, or soon will be.
  var unwritten: String?
  /// `nil` until there was one since the start.
  var build: GoodBuild?
  /// The SHA-256 of what is served as config; `nil` where nothing is.
  var config: Digest?

  /// The last attempt as pages are told of it: `id`, `event` and `data` of one server-sent event.
  var event: String {
    let digest = config.map { ",\"config\":\"\($0.hex)\"" } ?? ""
    return """
      id: \(generation)
      event: build
      data: {"generation":\(generation),"ok":\(isGood),"errors":\(errors),"warnings":\(warnings)\(digest),"written":\(unwritten == nil),"run":"\(run)"}\n\n
      """
  }
}
