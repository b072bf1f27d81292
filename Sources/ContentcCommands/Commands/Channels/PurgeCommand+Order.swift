import ContentCompiler
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics

/// The order that the arguments describe.
extension PurgeCommand {
  /// Returns the content that changed after the same, unfinished purge began; `nil` if no content
  /// changed, or if the command has `--again`.
  ///
  /// The new content may be the correction, so the command purges it only if the user says so.
  func laterContent(_ planner: PurgePlanner) throws -> LaterContent? {
    let list = planner.list
    guard !how.again, let left = list.unfinished(commandWords: commandWords(try remedy().words))
    else { return nil }
    let shown = try list.shownContent(
      of: left, named: try shownIDs(planner), in: planner.live)
    guard case .changed(let ids) = shown else { return nil }
    return LaterContent(purge: left, ids: ids)
  }

  /// Asks whether to purge later content, too: the purge in the same words is unfinished, and content
  /// that these words name has changed since it began.
  ///
  /// - Returns: The command with the answer. If nobody answers, the purge goes on without the content,
  ///   which is returned, too.
  func askingForLaterContent(
    _ planner: PurgePlanner, console: PurgeConsole
  ) throws -> (command: PurgeCommand, later: LaterContent?) {
    guard let later = try? laterContent(planner) else { return (self, nil) }
    if let answer = try Terminal.confirms(later.question) {
      var command = self
      command.how.again = answer
      return (command, nil)
    }
    console.say("WARNING: \(later.sentence); \(LaterContent.advice)")
    return (self, later)
  }

  /// Returns the named entries that the live release shows.
  private func shownIDs(_ planner: PurgePlanner) throws -> [String] {
    if entries.isEmpty { return [] }
    let globs = entries.compactMap(Glob.init)
    return try planner.reader.ids().filter { id in globs.contains { $0.matches(id) } }
  }

  /// Returns the requested purge; `nil` if the command only finishes earlier purges, if it resumes
  /// an unfinished one, or if its entries were purged before.
  func order(planner: PurgePlanner) throws -> PurgeOrder? {
    let list = planner.list
    let remedy = try remedy()
    var order = PurgeOrder(
      try subject(planner), fields: try what.field.map(path), locales: what.locale,
      remedy: remedy.remedy, reason: how.reason ?? "",
      by: Author.name(how.by, content: delivery.input.content))
    order.takesHistory = what.history
    order.includesLater = how.again
    order.readmitted = Set(try how.unpurge.map(digest))
    order.command = Contentc.given
    order.commandWords = commandWords(remedy.words)
    guard case .entries = order.subject else { return order }
    if list.unfinished(commandWords: order.commandWords) != nil {
      order.subject = .entries(try shownIDs(planner))
      // Asked before `ids`, which reads every purge for an entry that the live release does not show.
      // `planUnlessRepeated` asks again, since a release or an asset has returned above.
      if try list.resumed(by: order, live: planner.live) != nil { return nil }
    }
    let ids = try ids(planner: planner, list: list)
    if ids.isEmpty {
      if !namesSubject { try requireEarlierPurge(in: planner) }
      return nil
    }
    order.subject = .entries(ids)
    return order
  }

  /// `false` if the command only finishes earlier purges.
  var namesSubject: Bool { !entries.isEmpty || what.release != nil || what.asset != nil }

  /// Returns the subject as the command names it: entries may be globs.
  private func subject(_ planner: PurgePlanner) throws -> PurgeOrder.Subject {
    if let release = what.release { return .release(release) }
    guard what.asset != nil else { return .entries(entries) }
    let named = try namedAssets()
    // A path names a picture with all of its scales, also those that the content folder lacks.
    return .assets(namesAssetByHash ? named : try planner.scales(with: named))
  }

  /// Returns the hash after `--asset`, or in the address of an object; `nil` for a path.
  private func hashOfAsset(_ text: String) -> Digest? {
    let name = text.split(separator: "/").last ?? ""
    return Digest(hex: name.prefix { $0 != "." }.lowercased())
  }

  private var namesAssetByHash: Bool { what.asset.flatMap(hashOfAsset) != nil }

  /// Returns the hashes of the assets that `--asset` names: by their hash, or by a path below `assets/`.
  private func namedAssets() throws -> [Digest] {
    guard let text = what.asset else { return [] }
    if let hash = hashOfAsset(text) { return [hash] }
    let content = delivery.input.content
    let scales = ContentFolder.scales(ofAsset: text, below: content)
    if scales.isEmpty {
      throw Failure(
        .usage, .badHash,
        "'\(text)' is no file below '\(content.withoutTrailingSlashes)/assets', and not a SHA-256 in hex",
        notes: [
          "a picture's address has its hash: --asset objects/49/4994….png; 'sha256sum FILE' prints that of a file"
        ])
    }
    return scales
  }

  private func digest(_ text: String) throws -> Digest {
    guard let digest = Digest(hex: text.lowercased()) else {
      throw Failure(.usage, .badHash, "'\(text)' is not a SHA-256 in hex")
    }
    return digest
  }

  /// Returns the words of the command in canonical form: commands with the same meaning have the
  /// same words.
  func commandWords(_ remedy: [String]) -> [String] {
    let subject =
      what.release.map { ["--release", "\($0)"] } ?? what.asset.map { text in
        (try? namedAssets())?.flatMap { ["--asset", $0.hex] } ?? ["--asset", text]
      }
      ?? inOrder(entries)
    func inOrder(_ words: [String]) -> [String] { words.sorted { $0.precedesInBytes($1) } }
    let options =
      inOrder(what.field).flatMap { ["--field", $0] }
      + inOrder(what.locale).flatMap { ["--locale", $0] }
      + inOrder(how.unpurge.map { $0.lowercased() }).flatMap { ["--unpurge", $0] }
    return subject.isEmpty ? [] : subject + options + remedy + (what.history ? ["--history"] : [])
  }

  /// Refuses a command that names no content if the channel has no purge to finish, or if config was
  /// restored from a backup that misses the unfinished purges.
  private func requireEarlierPurge(in planner: PurgePlanner) throws {
    let list = planner.list
    if !list.missedUnfinished.isEmpty,
      let restored = try RestoredConfig(list)
    {
      throw restored.refusal
    }
    guard list.isEmpty else { return }
    throw Failure(
      .usage, .nothingNamed,
      "no purge is unfinished; name what to purge: entries, --release or --asset",
      notes: [PurgePage.repeatAdvice])
  }

  /// Returns the ids of the named live entries, and with `--history`, `--restore` or `--replace` those of
  /// purged ones; empty if no such entry is left.
  private func ids(planner: PurgePlanner, list: PurgeList) throws -> [String] {
    let known = try planner.reader.ids()
    return try entries.flatMap { pattern -> [String] in
      guard let glob = Glob(pattern) else {
        throw Failure(.usage, .badPattern, "'\(pattern)' is neither an id nor a glob")
      }
      let ids = known.filter(glob.matches)
      if what.history {
        // Earlier releases may have other forms of purged entries.
        let purged = try list.readAll().flatMap(\.begun.entries).filter(glob.matches)
        let all = Set(ids).union(purged)
        if !all.isEmpty { return all.sorted { $0.precedesInBytes($1) } }
      }
      if !ids.isEmpty { return ids }
      let purges = try list.readAll()
      guard let purge = purges.last(where: { $0.begun.entries.contains(where: glob.matches) })
      else {
        throw Failure(.missingInput, unknown: .unknownEntry, pattern, known: known)
      }
      // A purged entry can return in another form.
      return how.restore || how.replace != nil ? purge.begun.entries.filter(glob.matches) : []
    }
  }

  private func path(_ text: String) throws -> ContentPath {
    guard let path = ContentPath(text) else {
      throw Failure(.usage, .badField, "'\(text)' is not a path such as badges.new.label")
    }
    return path
  }

  /// Returns the remedy, and its words in canonical form.
  func remedy() throws -> (remedy: PurgeOrder.Remedy, words: [String]) {
    if how.restore { return (.restoration, ["--restore"]) }
    guard let path = how.replace else { return (.nothing, []) }
    let file = try ReplacementFile(path: path)
    return (.replacement(file.fields), ["--replace", file.digest.hex])
  }
}
