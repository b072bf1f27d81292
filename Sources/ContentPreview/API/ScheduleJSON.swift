import ContentCompiler
import ContentModel
import Diagnostics

/// The JSON of `/api/schedule`: the moments at which content appears or ends.
struct ScheduleJSON {
  let generation: Int
  /// The time of the response.
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
      "location": .string(location.description), "text": .string(text),
    ]
    if isEmbargo { members["embargo"] = true }
    if let field { members["field"] = .string(field.text) }
    if let contexts { members["contexts"] = .strings(contexts.map(\.description)) }
    return .dictionary(members)
  }
}
