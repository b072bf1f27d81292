import ContentCompiler
import ContentModel
import Diagnostics

/// The answer of `/api/schedule`: what appears or ends when.
struct ScheduleJSON {
  let generation: Int
  /// When it was found out.
  let now: Instant
  let moments: [ScheduledMoment]

  var members: Members {
    [
      "generation": .integer(Int64(generation)), "at": .string(now.rfc3339),
      "moments": .array(moments.map(\.value)),
    ]
  }
}

extension ScheduledMoment {
  fileprivate var value: Value {
    var members: Members = [
      "instant": .string(instant.rfc3339), "entry": .string(entry.text),
      "kind": .string(kind.rawValue),
      "location": .string(location.description),
    ]
    if isEmbargo { members["embargo"] = true }
    if let field { members["field"] = .string(field) }
    if let contexts { members["contexts"] = strings(contexts.map(\.description)) }
    return .dictionary(members)
  }
}
