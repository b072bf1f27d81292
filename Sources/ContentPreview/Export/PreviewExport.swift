import ContentCompiler
package import ContentModel
import ContentSource
import Diagnostics
import Dispatch
import PropertyLists
import SharedGzip
import System
import Translations

/// The export of a preview as files, which any web server can send.
///
/// The files are the page, config, the objects that the chosen readers reach, and the answers of the
/// preview's server to all that the page asks about these readers. Content under embargo at the
/// moment of the export is in none of them.
package struct PreviewExport: Sendable {
  /// The readers whose content is exported.
  package struct Readers: Sendable {
    /// The declared locales.
    package var locales: [String]
    /// The declared devices, and `any`.
    package var devices: [String]
    /// The countries, besides an unknown one.
    package var countries: [String]
    /// The app versions, besides an unknown one.
    package var versions: [AppVersion]

    package init(
      locales: [String], devices: [String], countries: [String] = [], versions: [AppVersion] = []
    ) {
      (self.locales, self.devices) = (locales, devices)
      (self.countries, self.versions) = (countries, versions)
    }

    /// The number of different readers.
    package var count: Int {
      locales.count * devices.count * (countries.count + 1) * (versions.count + 1)
    }
  }

  private let source: PreviewSource
  private let readers: Readers
  /// The paths of the objects that the readers reach.
  private let objects: [String]
  /// The moment of the build.
  private let instant: Instant
  private let hidden: HiddenContent
  private let compressor = GzipCompressor()
  /// The name of the version, such as that of a commit; `nil` for none.
  package var label: String?
  /// The name in `source.channels` of content that is compared although it is no channel's.
  package var base: String?

  /// Prepares the export of a build that is in the output folder of `source`.
  ///
  /// - Parameters:
  ///   - source: The content, whose `build` returns the attempt that made the build.
  ///   - readers: The readers.
  ///   - objects: The paths of the objects that the readers reach, in order.
  ///   - instant: The moment of the build.
  package init(
    _ source: PreviewSource, for readers: Readers, objects: [String], at instant: Instant
  ) {
    var source = source
    let (read, build) = (source.read, source.build)
    let hidden = read().map { HiddenContent(in: $0, at: instant) } ?? HiddenContent()
    source.read = { read().map { $0.withoutWithheldEntries(at: instant) } }
    source.build = { change in
      let attempt = build(change)
      guard case .finished(let facts, let diagnostics, let texts) = attempt else { return attempt }
      // A place outside the content is this machine's.
      let shown = diagnostics.filter { $0.location != nil && !hidden.isTold(by: $0) }
      return .finished(facts: facts, diagnostics: shown, source: texts)
    }
    source.now = { instant }
    (self.source, self.readers, self.objects) = (source, readers, objects)
    (self.instant, self.hidden) = (instant, hidden)
  }

  /// Writes all files.
  ///
  /// 1. The page, and the objects of the build.
  /// 2. The live content of each channel, and its differences from the build.
  /// 3. The answers about the content as a whole.
  /// 4. The answers about each reader.
  /// 5. The state of the build, which the page reads first.
  ///
  /// - Throws: `RequestError` if the content cannot be read; `UnreadableChannel`; `StoreError`.
  package func write(into folder: ExportFolder) throws {
    let built = DispatchSemaphore(value: 0)
    let rebuilder = Rebuilder(source) { _ in built.signal() }
    rebuilder.request(.anything)
    built.wait()
    defer { rebuilder.stop() }
    let content = PreviewContent(source, rebuilder: rebuilder)
    let files = BuildFiles(source)
    let api = PreviewAPI(
      source: source, content: content, facts: ConfigFacts(files), buildSizes: BuildSizes(files),
      cache: ResponseCache(content))

    try folder.write("index.html", Page.bundled.exported)
    let format = try writeBuild(files, into: folder)
    let channels = try writeChannels(into: folder, besides: Set(names: objects))
    for name in ["schedule", "sizes"] { try write(name, [], from: api, into: folder) }
    try writeCoverage(from: api, of: try content.read().tree, into: folder)
    try writeTranslations(into: folder)
    try writeReaders(of: try content.read(), from: api, into: folder)
    try writeState(from: api, into: folder, format: format, channels: channels)
  }

  // MARK: Objects

  /// Returns the extension of config.
  private func writeBuild(_ files: BuildFiles, into folder: ExportFolder) throws -> String {
    for path in objects {
      let names = path.split(separator: "/").map(String.init)
      guard let file = files.folder.open(names) else {
        throw StoreError.changed(path: "\(source.out)/\(path)")
      }
      let head = file.bytes(0..<min(file.size, ExportedObject.headLength)) ?? []
      if ExportedObject.isCopied(path, head: head, bytes: { file.bytes }) {
        try folder.copy(file, to: path)
      } else {
        guard let bytes = file.bytes else {
          throw StoreError.changed(path: "\(source.out)/\(path)")
        }
        try folder.write(ExportedObject.path(path), try compressor.compress(bytes))
      }
    }
    for format in PropertyListFormat.allCases.map(\.fileExtension) {
      guard let bytes = files.bytes(["preview", "config.\(format)"]) else { continue }
      try folder.write("preview/config.\(format)", bytes)
      return format
    }
    throw StoreError.changed(path: "\(source.out)/preview")
  }

  /// Returns what the page must know of each channel.
  private func writeChannels(
    into folder: ExportFolder, besides written: Set<ExactString>
  ) throws -> Members {
    var written = written
    var facts = Members()
    for channel in source.channels {
      let live = try channel.readLive()
      for path in try live.reached(readers.locales, readers.devices)
      where written.insert(ExactString(path)).inserted {
        let bytes = try live.readObject(path)
        let head = Array(bytes.prefix(ExportedObject.headLength))
        let isCopied = ExportedObject.isCopied(path, head: head) { bytes }
        try folder.write(
          ExportedObject.path(path), isCopied ? bytes : try compressor.compress(bytes))
      }
      facts[channel.name] = [:]
      if let config = live.config {
        let name = "channels/\(channel.name)/config.\(config.fileExtension)"
        let head = Array(config.bytes.prefix(ExportedObject.headLength))
        // Whoever can write to the target may have added a style sheet, for example.
        let isCopied = ExportedObject.isCopied(name, head: head) { config.bytes }
        try folder.write(
          name,
          isCopied
            ? config.bytes
            : try PropertyList.encode(PropertyList.decode(config.bytes).value, as: .xml))
        facts[channel.name] = ["format": .string(config.fileExtension)]
      }
      for side in live.sides { try writeChanges(of: live, side, in: channel.name, into: folder) }
    }
    return facts
  }

  private func writeChanges(
    of live: LiveContent, _ side: LiveContent.Side, in channel: String, into folder: ExportFolder
  ) throws {
    var changes = try live.changes(side) { path throws(UnreadableChannel) in
      try live.readObject(path)
    }
    for (key, value) in live.members(of: channel, side) { changes[key] = value }
    changes["generation"] = 1
    let rollout = side == .next ? "next" : ""
    try write(
      .dictionary(changes), "changes", [("channel", channel), ("rollout", rollout)], into: folder)
  }

  // MARK: Answers

  private func writeCoverage(
    from api: PreviewAPI, of tree: ContentTree, into folder: ExportFolder
  ) throws {
    try write("coverage", [], from: api, into: folder)
    for locale in tree.project.locales.declared {
      try write("coverage", [("locale", locale.identifier)], from: api, into: folder)
    }
  }

  /// Writes the texts of the exported locales; the page can neither save nor export them.
  private func writeTranslations(into folder: ExportFolder) throws {
    guard let list = source.translations?.list(nil) else { throw RequestError.unreadableContent }
    let targets = list.targets.filter { readers.locales.contains($0.identifier) }
    var members: Members = [
      "source": .string(list.source.identifier),
      "targets": .strings(targets.map(\.identifier)), "isEditable": false,
      "isLocked": .boolean(list.isLocked), "formats": [],
    ]
    // The page asks without a locale first.
    try write(.dictionary(members), "translations", [], into: folder)
    for locale in targets {
      let units = source.translations?.list(locale)?.units ?? []
      members["locale"] = .string(locale.identifier)
      members["units"] = .array(units.filter { !hidden.contains($0) }.map(\.value))
      try write(
        .dictionary(members), "translations", [("locale", locale.identifier)], into: folder)
    }
  }

  private func writeReaders(
    of content: AttemptedContent, from api: PreviewAPI, into folder: ExportFolder
  ) throws {
    let countries = [nil] + readers.countries.map(Optional.some)
    let versions = [nil] + readers.versions.map(Optional.some)
    for locale in readers.locales {
      for device in readers.devices {
        for country in countries {
          for version in versions {
            let reader: [(name: String, value: String)] = [
              ("locale", locale), ("device", device), ("country", country ?? ""),
              ("app", version?.description ?? ""),
            ]
            try write("fallbacks", reader, from: api, into: folder)
            let context = try PreviewContent.context(
              of: content.tree, locale: locale, device: device)
            let circumstances = Circumstances(
              country: country, version: version, instant: instant)
            try writeExplanations(
              explanations(in: content.tree, context: context, circumstances: circumstances),
              for: reader, into: folder)
          }
        }
      }
    }
  }

  /// Writes a file for each datatype: one for each entry would be too many, and one for all too
  /// large.
  private func writeExplanations(
    _ explanations: [Explanation], for reader: [(name: String, value: String)],
    into folder: ExportFolder
  ) throws {
    let names = explanations.map { ExactString(String($0.id.text.prefix { $0 != "/" })) }
    let groups = Dictionary(grouping: zip(names, explanations)) { $0.0 }
    for name in groups.keys.sorted() {
      let entries = (groups[name] ?? []).map { _, explanation -> (String, Value) in
        let members = ExplanationPage(explanation).members
        return (explanation.id.text, HiddenContent.removed(fromExplanation: members))
      }
      try write(
        ["entries": .dictionary(Members(entries))], "explain",
        reader + [("datatype", name.text)], into: folder)
    }
  }

  private func writeState(
    from api: PreviewAPI, into folder: ExportFolder, format: String, channels: Members
  ) throws {
    var members = try answer("state", [], from: api).members ?? Members()
    members["run"] = "export"
    if var build = members["build"]?.members {
      // The time that the build took differs from run to run.
      build["milliseconds"] = 0
      members["build"] = .dictionary(build)
    }
    members["locales"] = members["locales"]?.keeping("tag", in: readers.locales)
    members["devices"] = members["devices"]?.keeping("name", in: readers.devices)
    members["countries"] = .strings(readers.countries)
    members["versions"] = .strings(readers.versions.map(\.description))
    var exported: Members = [
      "at": .string(instant.rfc3339), "format": .string(format),
      "endings": .strings(ExportedObject.plainEndings), "channels": .dictionary(channels),
      "hasOtherDevices": .boolean(readers.devices.contains(DeviceTree.root)),
    ]
    exported["label"] = label.map { .string($0) }
    exported["base"] = base.map { .string($0) }
    members["exported"] = .dictionary(exported)
    try folder.write(ExportFolder.mark, PreviewResponse.jsonBytes(of: .dictionary(members)))
  }

  // MARK: Files

  private func write(
    _ name: String, _ parameters: [(name: String, value: String)], from api: PreviewAPI,
    into folder: ExportFolder
  ) throws {
    var answer = try answer(name, parameters, from: api)
    if name == "schedule" { answer = hidden.removed(fromSchedule: answer) }
    if name == "coverage" { answer = hidden.removed(fromCoverage: answer) }
    try write(answer, name, parameters, into: folder)
  }

  private func write(
    _ answer: Value, _ name: String, _ parameters: [(name: String, value: String)],
    into folder: ExportFolder
  ) throws {
    try folder.write(
      ExportedAnswer.path(name, parameters),
      try compressor.compress(PreviewResponse.jsonBytes(of: answer)))
  }

  private func answer(
    _ name: String, _ parameters: [(name: String, value: String)], from api: PreviewAPI
  ) throws -> Value {
    let target = RequestTarget(
      segments: ["api", name],
      query: parameters.filter { !$0.value.isEmpty }.map { (ExactString($0.name), $0.value) })
    let response = try api.response(
      named: name, to: PreviewRequest(isHead: false, target: target), isLocal: false)
    guard case .bytes(let bytes) = response.body else { throw RequestError.notFound }
    return try PropertyList.decode(bytes, as: .json).value
  }
}

extension Value {
  /// Returns a list without the items whose member has none of the values.
  fileprivate func keeping(_ name: String, in values: [String]) -> Value {
    .array((items ?? []).filter { item in item[name]?.text.map(values.contains) ?? false })
  }
}
