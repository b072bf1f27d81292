import ContentCompiler
package import ContentModel
import ContentSource

/// The facts that a build reports; an unchanged build reports them again.
package struct BuildFacts: Hashable, Sendable {
  /// The members of the JSON report: the app, the counts and the bounds.
  package var members: Members
  /// The staleness bound of each channel, in words.
  package var bounds: [Bound]
  /// The number of declared locales.
  package var locales: Int
  /// The number of devices, with `any`.
  package var devices: Int
  /// The path of config below the output folder.
  package var configPath: String
  /// An entry and a context for an example command; the entry is empty if there is none.
  package var example: (entry: String, locale: String, device: String)
  /// Every date in the bundles, in order; readers apply them.
  package var dates: [Instant]

  /// A channel's bound, in words.
  package struct Bound: Hashable, Sendable {
    package var channel: String
    package var sentence: String
  }

  init(_ build: Build, of tree: ContentTree) {
    let project = tree.project
    members = build.counts.members
    members["app"] = .string(project.app)
    members["bounds"] = .dictionary(Members(build.bounds.map { ($0.channel, $0.bound.value) }))
    bounds = build.bounds.map { Bound(channel: $0.channel, sentence: $0.bound.sentence) }
    locales = project.locales.declared.count
    devices = project.devices.names.count
    configPath = build.config.path
    dates = build.dates
    // Other commands do not know the pseudo-locales of a build.
    let written = project.locales.declared.filter { !project.locales.generated.contains($0) }
    let locale = written.first { $0 != project.locales.source } ?? project.locales.source
    // The entry with the most overlays has the most to explain.
    let entry = tree.entries.max { $0.layers.count < $1.layers.count }
    example = (entry?.id.text ?? "", "\(locale)", project.devices.names.last ?? DeviceTree.root)
  }

  /// Compares the values, and so all texts by bytes.
  package static func == (a: BuildFacts, b: BuildFacts) -> Bool { a.value == b.value }
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension BuildFacts {
  /// The facts as a value that `init(_:)` reads.
  var value: Value {
    [
      "members": .dictionary(members),
      "bounds": .array(
        bounds.map { ["channel": .string($0.channel), "sentence": .string($0.sentence)] }),
      "locales": .integer(Int64(locales)), "devices": .integer(Int64(devices)),
      "config": .string(configPath),
      "example": .array([.string(example.entry), .string(example.locale), .string(example.device)]),
      "dates": .array(dates.map(Value.date)),
    ]
  }

  /// Reads a result of `value`; `nil` for any other value.
  init?(_ value: Value) {
    guard case .dictionary(let all) = value, case .dictionary(let members)? = all["members"],
      case .array(let bounds)? = all["bounds"], case .integer(let locales)? = all["locales"],
      case .integer(let devices)? = all["devices"], case .string(let config)? = all["config"],
      case .array(let example)? = all["example"], example.count == 3,
      case .string(let entry) = example[0],
      case .string(let locale) = example[1], case .string(let device) = example[2],
      case .array(let dates)? = all["dates"]
    else { return nil }
    self.members = members
    self.bounds = bounds.compactMap { bound in
      guard case .dictionary(let bound) = bound, case .string(let channel)? = bound["channel"],
        case .string(let sentence)? = bound["sentence"]
      else { return nil }
      return Bound(channel: channel, sentence: sentence)
    }
    (self.locales, self.devices, configPath) = (Int(locales), Int(devices), config)
    self.example = (entry, locale, device)
    self.dates = dates.compactMap { if case .date(let date) = $0 { date } else { nil } }
  }
}

extension StalenessBound {
  /// The bound as a value, in seconds.
  fileprivate var value: Value {
    [
      "correction": .integer(Int64(correction.seconds)),
      "afterPurge": .integer(Int64(afterPurge.seconds)),
      "layers": .array(
        parts.map { ["layer": .string($0.layer), "seconds": .integer(Int64($0.span.seconds))] }),
    ]
  }
}
