import ContentBuild
import ContentCompiler
import ContentModel
import ContentPreview
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import Synchronization
import System

extension PreviewCommand {
  /// The most readers, and the most bytes of objects, that are exported unless options choose some.
  private static let limit = (readers: 200, bytes: 1 << 30)
  /// The name under which the page shows the content of `--base`.
  private static let baseName = "base"

  /// Builds the content, and writes the preview as files.
  ///
  /// If the content has mistakes, reports them and writes nothing.
  func export(into path: String) throws -> Report {
    let instant = exporting.moment.instant
    do {
      // Content with mistakes has no project, and the build reports them.
      let chosen = try Self.project(input.content).map { try readers(in: $0) }
      let folder = try exportFolder(path)
      let request = BuildRequest(
        content: input.content, out: out, at: instant, judgedBy: common.style.policy)
      let progress = Progress("Exporting", isWanted: !common.quiet)
      defer { progress.finish() }
      let outcome = try build(request, progress: progress, patience: BuildCall.patience)
      var report = Report(diagnostics: outcome.diagnostics, sources: outcome.sources)
      guard let product = outcome.product, let readers = chosen else { return report }
      let built = BuiltContent(folder: out.withoutTrailingSlashes)
      let content = try built.content()
      try requireChoice(readers, bytes: content.objects.reduce(0) { $0 + $1.size })
      let objects = try content.objects(forLocales: readers.locales, devices: readers.devices)
      var export = PreviewExport(
        try exportSource(of: product, outcome, comparedWith: built, at: instant),
        for: readers, objects: objects.map(\.key), at: instant)
      export.label = exporting.label
      export.base = exporting.base.map { _ in Self.baseName }
      try export.write(into: folder)
      try folder.place()
      report.text = """
        Exported the preview of \(readers.count.counted("reader")) into \(path.harmless)
          \(folder.files.counted("file")), \(folder.bytes.asByteCount)

        """
      report.json = [
        "folder": .string(path), "readers": .integer(Int64(readers.count)),
        "files": .integer(Int64(folder.files)), "bytes": .integer(Int64(folder.bytes)),
      ]
      return report
    } catch StoreError.notOurs(let folder, let example) {
      throw Failure(
        .inputOutput, .unwritable,
        "'\(folder)' holds files that '--export' did not write, such as '\(example)'",
        notes: ["name an empty folder, or an earlier export, with --export"])
    } catch let error as UnreadableChannel {
      throw Failure(.unavailable, .targetFailed, error.message)
    } catch let error as RequestError {
      throw Failure(.inputOutput, .unwritable, "the preview cannot be exported: \(error.message)")
    } catch let error as BakeError {
      throw Failure(.inputOutput, .unwritable, error.description)
    }
  }

  private func exportFolder(_ path: String) throws -> ExportFolder {
    let path = path.withoutTrailingSlashes
    guard let name = path.pathParts.last, name != ".", name != ".." else {
      throw Failure(
        .usage, .usage, "--export replaces a folder as a whole, so it needs a name: '\(path)'")
    }
    let place = Self.place(of: path)
    let own = [input.content, out].map(Self.place(of:))
    if own.contains(where: { place.hasSameBytes(as: $0) || place.hasBytePrefix("\($0)/") }) {
      throw Failure(
        .usage, .usage, "--export needs a folder outside the content and the output folder")
    }
    return try ExportFolder(path)
  }

  /// Returns the path by which two folders can be compared, however they were typed.
  private static func place(of folder: String) -> String {
    FolderPath.shortest(FolderPath.absolute(folder.withoutTrailingSlashes))
  }

  // MARK: Readers

  /// Returns the chosen readers, in the order of their declaration.
  private func readers(in project: Project) throws(Failure) -> PreviewExport.Readers {
    let locales = project.locales.declared.map(\.identifier)
    let devices = project.devices.names
    for name in exporting.locale where !locales.contains(where: { $0.hasSameBytes(as: name) }) {
      throw Failure(.usage, unknown: .unknownLocale, name, known: locales)
    }
    for name in exporting.device where !devices.contains(where: { $0.hasSameBytes(as: name) }) {
      throw Failure(.usage, unknown: .unknownDevice, name, known: devices)
    }
    return PreviewExport.Readers(
      locales: locales.filter { exporting.locale.isEmpty || exporting.locale.contains($0) },
      devices: devices.filter { exporting.device.isEmpty || exporting.device.contains($0) },
      countries: Set(names: exporting.country).names,
      versions: Set(exporting.app).sorted())
  }

  /// Throws a failure if nobody has chosen among many readers.
  private func requireChoice(_ readers: PreviewExport.Readers, bytes: Int) throws(Failure) {
    guard exporting.locale.isEmpty, exporting.device.isEmpty,
      readers.count > Self.limit.readers || bytes > Self.limit.bytes
    else { return }
    let locales = readers.locales.count.counted("locale")
    throw Failure(
      .usage, .usage,
      "all \(readers.count.counted("reader")) are too many to export: \(locales) on "
        + "\(readers.devices.count.counted("device")), with objects of \(bytes.asByteCount)",
      notes: ["choose some, such as '--locale fr --device phone'; both may be repeated"])
  }

  // MARK: Source

  /// Returns the source of an exported page, which names no path of this machine outside the
  /// content folder.
  private func exportSource(
    of product: BuildOutcome.Product, _ outcome: BuildOutcome, comparedWith built: BuiltContent,
    at instant: Instant
  ) throws -> PreviewSource {
    let content = input.content
    let typed = content.withoutTrailingSlashes
    let last = typed.pathParts.last ?? ""
    let name = ["", ".", ".."].contains(last) ? ContentPlace.usualPath : last
    let place = ContentPlace(path: content, shownAs: name)
    let shown = outcome.diagnostics.map { $0.moved(from: typed, to: name) }
    let facts = product.members
    let texts = outcome.sources.bytes
    return PreviewSource(
      content: name, out: built.folder,
      build: { _ in
        .finished(
          facts: facts, diagnostics: shown, source: { texts($0.moved(from: name, to: typed)) })
      },
      read: { try? Self.tree(place) },
      channels: try channels(FreshFiles()) + baseSource(comparedWith: built, at: instant),
      project: { Self.project(content) },
      translations: PreviewTranslations(of: place, mayEdit: false), now: { instant })
  }

  /// Returns the content of `--base` as a channel that the page compares with.
  private func baseSource(
    comparedWith built: BuiltContent, at instant: Instant
  ) throws -> [ChannelSource] {
    guard let base = exporting.base else { return [] }
    if comparedChannels.contains(where: { $0.hasSameBytes(as: Self.baseName) }) {
      throw Failure(
        .usage, .usage, "--base cannot be used with a channel that is named '\(Self.baseName)'")
    }
    let input = ContentInput.read(try ContentPlace(path: base).open())
    let sources = input.sources
    let files = Mutex<[ExactString: [UInt8]]>([:])
    let compiled = try Compilation.compiling(input, at: instant, judgedBy: WarningPolicy()) {
      object in
      let path = object.digest.objectPath(extension: object.fileExtension)
      files.withLock { $0[path] = object.bytes }
    }
    guard let build = compiled.build else {
      throw ContentMistakes(compiled.diagnostics, sources: sources)
    }
    for file in build.files + [build.config] {
      files.withLock { $0[file.path] = file.bytes }
    }
    let all = files.withLock { $0 }
    let content = try ReleaseContent(built: base) { path, _ in all[path].map { .bytes($0) } }
    let config = LiveContent.Config(
      release: 0, bytes: build.config.bytes, fileExtension: content.format.fileExtension)
    let live = LiveContent(content, config: config, comparedWith: built, fresh: FreshFiles())
    return [ChannelSource(name: Self.baseName) { live }]
  }
}

extension ExactString {
  /// Returns the path with another name for the folder that it is in.
  fileprivate func moved(from folder: String, to name: String) -> ExactString {
    text.hasBytePrefix("\(folder)/") ? ExactString(name + text.dropping(folder)) : self
  }
}

extension SourceLocation {
  fileprivate func moved(from folder: String, to name: String) -> SourceLocation {
    SourceLocation(path: path.moved(from: folder, to: name), range: range)
  }
}

extension Diagnostic {
  /// Returns the diagnostic with another name for the content folder.
  fileprivate func moved(from folder: String, to name: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.message = message.replacing("\(folder)/", with: "\(name)/")
    diagnostic.location = location?.moved(from: folder, to: name)
    diagnostic.notes = notes.map {
      Note(
        $0.message.replacing("\(folder)/", with: "\(name)/"),
        at: $0.location?.moved(from: folder, to: name))
    }
    return diagnostic
  }
}
