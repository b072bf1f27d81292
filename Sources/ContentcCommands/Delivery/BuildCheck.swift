import Hashing
import ContentBuild
import ContentCompiler
import ContentModel
import ContentReleases
import ContentReports
import ContentSource
import ContentTargets
import Diagnostics
import Platform
import PropertyLists

/// A build in an output folder, compared with the content folder as it is now.
struct BuildCheck {
  private let out: String
  private let content: ReleaseContent
  private let input: ContentInput
  private let tree: ContentTree
  /// The hash of each file that the build read, by path below the content folder.
  private let known: [ExactString: Digest]
  private let now = Clock.now

  /// Reads the content folder and the build's record.
  init(_ built: BuiltContent, content: ReleaseContent, input options: ContentOptions) throws {
    (out, self.content, input) = (built.folder, content, try ContentInput(options))
    guard let tree = input.tree else {
      throw Failure(
        .missingInput, "missing-project",
        "'\(options.content)/content.yaml' cannot be read as a project",
        notes: ["'contentc check' lists its mistakes"])
    }
    self.tree = tree
    known = try Self.sources(of: content)
  }

  /// Refuses a build that was made of other content than the folder holds now.
  func requireUnchanged() throws(Failure) {
    try requireSameFiles()
    try requireNoNewFile()
  }

  /// Refuses a build of other content, and one for a moment at which other embargoes had ended.
  ///
  /// The report has errors where the flags turn the content's warnings into errors.
  func requirePublishable(_ common: CommonOptions) throws -> Report {
    try requireSameFiles()
    var report = Report()
    let embargoes = schedule(of: tree).filter { $0.isEmbargo && $0.kind == .appears }
    if !embargoes.isEmpty || common.hasGate {
      let compiled = try Compilation(input, at: now, judgedBy: common.style.policy) { _ in }
      (report.diagnostics, report.sources) = (compiled.diagnostics, input.sources)
      guard let build = compiled.build else { return report }
      try requireSameEmbargoes(as: build, embargoes)
    }
    try requireNoNewFile()
    return report
  }

  private func requireSameFiles() throws(Failure) {
    let now = Dictionary(firstOf: tree.sources.map { ($0.path, $0.digest) })
    for path in known.names where (now[path] ?? digest(of: path)) != known[path] {
      throw changed(path)
    }
  }

  private func requireNoNewFile() throws(Failure) {
    let unknown = tree.sources.map(\.path).filter { known[$0] == nil }
    if unknown.isEmpty { return }
    // A build record does not name what an embargo withholds.
    let withheld = withheldFiles(of: tree, at: now)
    if let path = unknown.first(where: { !withheld.contains($0) }) { throw changed(path) }
  }

  /// Compares the next end of an embargo with that of a build for now: an end between the two
  /// moments makes them differ.
  private func requireSameEmbargoes(as build: Build, _ embargoes: [ScheduledMoment]) throws {
    let current = try PropertyList.decode(build.config.bytes).value["changes"]?.instant
    let built = content.members["changes"]?.instant
    if current != built, let end = [current, built].compactMap(\.self).min() {
      let moments = embargoes.filter { $0.instant == end }
      if let new = moments.map(path).first(where: { known[$0] == nil }), end > now {
        throw changed(new)
      }
      throw outdated(moments, endingAt: end)
    }
    // An entry in no bundle changes no config, but the record would name its file.
    let withheld = withheldFiles(of: tree, at: now)
    let named = embargoes.filter {
      $0.instant > now && withheld.contains(path($0)) && known[path($0)] != nil
    }
    if let first = named.first { throw outdated([first], endingAt: first.instant) }
  }

  /// The path of the file that a moment is in, below the content folder.
  private func path(_ moment: ScheduledMoment) -> String {
    moment.location.path.dropping(input.folder.shownPath(""))
  }

  private func changed(_ path: String) -> Failure {
    Failure(
      .inputOutput, "outdated-build", "'\(path)' changed since '\(out)' was built",
      notes: ["run 'contentc build', or omit --built so that 'publish' builds"])
  }

  private func outdated(_ moments: [ScheduledMoment], endingAt end: Instant) -> Failure {
    let names = Set(names: moments.map(\.subject)).names
    let subject = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    let isEarly = end > now
    var failure = Failure(
      .inputOutput, "outdated-build",
      isEarly
        ? "'\(out)' shows content under embargo until \(end.rfc3339): \(subject); it is \(now.rfc3339) now"
        : "'\(out)' lacks content whose embargo ended at \(end.rfc3339): \(subject); it is \(now.rfc3339) now",
      notes: isEarly
        ? [
          "it was built with --at for a later moment; 'contentc build' builds it for now",
          "'contentc publish --if-due' publishes withheld content once its embargo ends",
        ] : ["run 'contentc build', or omit --built so that 'publish' builds"])
    failure.diagnostic.location = moments.first?.location
    return failure
  }

  /// The hash of a file as it is now; a large one is not in memory for that.
  private func digest(of path: String) -> Digest? {
    if let body = try? FileBody(contentsOf: input.folder.shownPath(path)) { return body.digest }
    // A symbolic link, maybe: the folder knows where it may lead.
    return (try? input.folder.read(path)).map { Digest(of: $0) }
  }

  private static func sources(of content: ReleaseContent) throws -> [ExactString: Digest] {
    var sources: [ExactString: Digest] = [:]
    guard let build = content.members["build"]?.digest,
      let record = try value(of: build, in: content)
    else { return [:] }
    for (folder, part) in record["sources"]?.members ?? Members() {
      guard let part = try part.digest.flatMap({ try value(of: $0, in: content) }) else { continue }
      for (name, file) in part["sources"]?.members ?? Members() {
        sources[folder == "." ? name : "\(folder)/\(name)"] = file["hash"]?.digest
      }
    }
    return sources
  }

  private static func value(of digest: Digest, in content: ReleaseContent) throws -> Value? {
    guard let object = content.objects.first(where: { $0.digest == digest }) else { return nil }
    return try PropertyList.decode(try content.file(object).body.bytes).value
  }
}

extension ScheduledMoment {
  /// The entry, or the item of one of its lists: `'product/rose' (badges[new])`.
  fileprivate var subject: String { "'\(entry.text)'" + (field.map { " (\($0))" } ?? "") }
}
