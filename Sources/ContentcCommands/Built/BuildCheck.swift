import ContentBuild
import ContentCompiler
package import ContentModel
package import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import PropertyLists
import System

/// A comparison of a build in an output folder with the content folder as it is now.
package struct BuildCheck {
  private let out: String
  private let content: ReleaseContent
  private let input: ContentInput
  private let tree: ContentTree
  /// The hash of each file that the build read, by path below the content folder.
  private let known: [ExactString: Digest]
  private let now = Clock.now

  /// Reads the content folder and the build's record.
  package init(_ built: BuiltContent, content: ReleaseContent, input options: ContentOptions) throws
  {
    (out, self.content) = (built.folder, content)
    var input = try ContentInput.read(options)
    if let locales = input.tree?.project.locales, !content.pseudoLocales(besides: locales).isEmpty {
      input = try ContentInput.read(options, addingPseudoLocales: true)
    }
    self.input = input
    guard let tree = input.tree else { throw ContentMistakes(in: input) }
    self.tree = tree
    known = try Self.sources(of: content)
  }

  /// Throws a failure if the content folder has changed since the build.
  package func requireUnchanged() throws(Failure) {
    try requireSameFiles()
    try requireNoNewFile()
  }

  /// Throws a failure if the content folder has changed since the build, or if other embargoes have
  /// ended than at the moment of the build.
  ///
  /// The report has errors if the flags raise warnings about the content to errors.
  package func requirePublishable(_ common: CommonOptions) throws -> Report {
    try requireSameFiles()
    var report = Report()
    let embargoes = schedule(of: tree).filter { $0.isEmbargo && $0.kind == .appears }
    if !embargoes.isEmpty || common.hasGate {
      let compiled = try Compilation.compiling(input, at: now, judgedBy: common.style.policy) { _ in
      }
      report.diagnostics = compiled.diagnostics
      report.sources = input.sources
      guard let build = compiled.build else { return report }
      try requireSameEmbargoes(as: build, embargoes)
    }
    try requireNoNewFile()
    return report
  }

  /// Returns the dates in all bundles, in order.
  package func dates() throws -> [Instant] {
    // Without a date in the content folder, the bundles need not be read.
    schedule(of: tree).isEmpty ? [] : try ReleaseReader(content).dates()
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
    // A build record does not name withheld content.
    let withheld = withheldFiles(of: tree, at: now)
    if let path = unknown.first(where: { !withheld.contains($0) }) { throw changed(path) }
  }

  /// Throws a failure if an embargo ends between the moment of the build and now.
  ///
  /// In that case, the next end of an embargo differs between the build and a build at the current
  /// time.
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
    // An entry that is in no bundle does not change config. But the record of the build names its
    // file if the entry was not withheld then.
    let withheld = withheldFiles(of: tree, at: now)
    let named = embargoes.filter {
      $0.instant > now && withheld.contains(path($0)) && known[path($0)] != nil
    }
    if let first = named.first { throw outdated([first], endingAt: first.instant) }
  }

  /// Returns the path below the content folder of the file that declares a moment.
  private func path(_ moment: ScheduledMoment) -> String {
    moment.location.path.text.dropping(input.folder.shownPath(""))
  }

  private func changed(_ path: String) -> Failure {
    Failure(
      .inputOutput, .outdatedBuild, "'\(path)' changed since '\(out)' was built",
      notes: ["run 'contentc build', or omit --built so that 'publish' builds"])
  }

  private func outdated(_ moments: [ScheduledMoment], endingAt end: Instant) -> Failure {
    let names = Set(names: moments.map(\.subject)).names
    let subject = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    let isEarly = end > now
    let problem =
      isEarly
      ? "shows content under embargo until \(end.rfc3339)"
      : "lacks content whose embargo ended at \(end.rfc3339)"
    var failure = Failure(
      .inputOutput, .outdatedBuild,
      "'\(out)' \(problem): \(subject); it is \(now.rfc3339) now",
      notes: isEarly
        ? [
          "it was built with --at for a later moment; 'contentc build' builds it for now",
          "'contentc publish --if-due' publishes withheld content once its embargo ends",
        ] : ["run 'contentc build', or omit --built so that 'publish' builds"])
    failure.diagnostic.location = moments.first?.location
    return failure
  }

  /// Returns the hash of a file as it is now, without reading a large file into memory.
  private func digest(of path: String) -> Digest? {
    if let body = try? FileBody(contentsOf: input.folder.shownPath(path)) { return body.digest }
    // The file may be a symbolic link, which only the folder may follow.
    return (try? input.folder.read(path)).map { Digest(of: $0) }
  }

  /// Returns the hash of each content file that the record of a build names.
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
  /// The entry, and the item of one of its lists, such as `'product/rose' (badges[new])`.
  fileprivate var subject: String { "'\(entry.text)'" + (field.map { " (\($0))" } ?? "") }
}
