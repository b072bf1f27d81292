import ContentModel
import ContentSource

/// A builder of a build's config, of the channel `preview`; its bytes do not depend on the clock.
struct ConfigBuilder {
  let project: Project
  let contexts: [Context]

  /// The config with indexes and maintenance payloads by context, and the next end of an embargo.
  func value(
    indexes: [Digest], payloads: [Digest], retryAfter: Int, build: Digest, changes: Instant?
  ) -> Value {
    let locales = project.locales.declared.map { locale -> (String, Value) in
      (locale.identifier, .array(project.locales.chain(of: locale).map { .string($0.identifier) }))
    }
    let matches = project.locales.matches.map {
      ($0.requested, Value.string($0.declared.identifier))
    }
    let devices = project.devices.declared.map { ($0.name, Value.string($0.parent)) }
    let empty: Value = .array([])
    let maintenance: Value = [
      "active": false, "retryAfter": .integer(Int64(retryAfter)), "payloads": byContext(payloads),
    ]
    var members: Members = [
      "format": 1, "app": .string(project.app), "channel": "preview", "release": 0,
      "ttl": .integer(Int64(project.lifetimes.app.seconds)),
      "sourceLocale": .string(project.locales.source.identifier),
      "locales": .dictionary(Members(locales)),
      "matches": .dictionary(Members(matches)), "devices": .dictionary(Members(devices)),
      "indexes": byContext(indexes), "build": build.value(in: project.format),
      "maintenance": maintenance,
      "purge": ["sequence": 0, "minimumRelease": 0, "objects": empty, "entries": empty],
    ]
    if let version = project.minimumApp {
      members["minimumApp"] = Value.string(version.description)
    }
    members["changes"] = changes.map(Value.date)
    return .dictionary(members)
  }

  private func byContext(_ digests: [Digest]) -> Value {
    var locales: [(String, Value)] = []
    for locale in project.locales.declared {
      let devices = zip(contexts, digests).filter { $0.0.locale == locale }
        .map { ($0.0.device, $0.1.value(in: project.format)) }
      locales.append((locale.identifier, .dictionary(Members(devices))))
    }
    return .dictionary(Members(locales))
  }
}
