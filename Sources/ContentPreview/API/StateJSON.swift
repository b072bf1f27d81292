import ContentModel
import ContentSource

/// The JSON of `/api/state`: the facts about the build, and the result of the last attempt.
struct StateJSON {
  let state: PreviewState
  let source: PreviewSource
  let facts: ConfigFacts
  /// `true` if a browser on this machine asks.
  let isLocal: Bool

  var value: Value {
    var members: Members = [
      "run": .string(state.run), "generation": .integer(Int64(state.generation)),
      "content": .string(source.content),
      "channels": .strings(channels), "comparing": .strings(source.channels.map(\.name)),
      "diagnostics": state.diagnostics, "text": .string(state.text),
      "ok": .boolean(state.isGood), "writing": writing,
    ]
    for (key, value) in facts.members() { members[key] = value }
    let project = facts.lastGood(source.project())
    if let project { members["devices"] = members["devices"].map { project.sorted($0) } }
    members["tiles"] = project?.tileRules ?? .dictionary(Members())
    members["network"] = .strings(source.networkAddresses)
    // Other machines neither have these files nor need their paths.
    if isLocal {
      members["arguments"] = .strings(source.arguments)
      members["editor"] = source.editor.map {
        ["template": .string($0.template), "root": .string($0.root)]
      }
    }
    if let build = state.build { members["build"] = self.build(build) }
    return .dictionary(members)
  }

  /// The channels of the content, in order of code points.
  private var channels: [String] {
    guard case .dictionary(let bounds)? = state.build?.facts["bounds"] else { return [] }
    return bounds.keys
  }

  private var writing: Value {
    state.unwritten.map { ["ok": false, "message": .string($0.text)] } ?? ["ok": true]
  }

  private func build(_ build: PreviewState.GoodBuild) -> Value {
    var members: Members = [
      "ok": true, "at": .string(build.at.rfc3339),
      "milliseconds": .integer(Int64(build.milliseconds)),
    ]
    for key in ["entries", "bundles", "contexts", "objects"] { members[key] = build.facts[key] }
    return .dictionary(members)
  }
}

extension Value {
  /// Returns an array of strings.
  static func strings(_ texts: [String]) -> Value { .array(texts.map { .string($0) }) }
}
