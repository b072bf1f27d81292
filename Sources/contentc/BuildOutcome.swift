import ContentCompiler
import ContentModel
import ContentSource
import ContentStore

/// What a build did, for a person and for a program.
struct BuildOutcome {
  let tree: ContentTree
  let build: Build
  let summary: BuildSummary
  /// The output folder, as it was typed.
  let folder: String
  /// The content folder, as it was typed.
  let content: String
  let seconds: Double

  /// A page of text: what was built, how long changes take, what to do next.
  var text: String {
    ([whatWasBuilt] + (build.bounds.isEmpty ? [] : [bounds]) + [nextSteps]).joined(separator: "\n\n") + "\n"
  }

  private var whatWasBuilt: String {
    let project = tree.project
    let (counts, locales, devices) = (build.counts, project.locales.declared.count, project.devices.names.count)
    return """
      Built \(project.app) into \(folder)/ in \(seconds.rounded(toPlaces: 2)) s
        content   \(counts.entries.of("entry", "entries")) in \(counts.bundles.of("bundle"))
        contexts  \(counts.contexts.grouped): \(locales.of("locale")) × \(devices.of("device"))
        objects   \(counts.objects.grouped): \(summary.objectsWritten.grouped) written, \
      \(summary.objectsKept.grouped) kept
        sizes     \(summary.bytesTotal.asByteCount) in objects; gzipped \(summary.gzipBytesTotal.asByteCount)
      """
  }

  private var bounds: String {
    let width = build.bounds.map(\.channel.count).max() ?? 0
    let lines = build.bounds.map { "  \($0.channel.padded(to: width))  \($0.bound.sentence)" }
    return (["Staleness bound: how long a reader may still see what came before"] + lines).joined(separator: "\n")
  }

  private var nextSteps: String {
    let locale =
      tree.project.locales.declared.first { $0 != tree.project.locales.source } ?? tree.project.locales.source
    let device = tree.project.devices.names.last ?? DeviceTree.root
    // The entry with the most overlays has the most to explain.
    let entry = tree.entries.max { $0.layers.count < $1.layers.count }
    let input = content == ContentOptions.usualFolder ? "" : " --content \(content)"
    let explain = entry.map {
      "\n  contentc explain \($0.id) --locale \(locale) --device \(device)\(input)    where each value comes from"
    }
    return """
      Have a look
        python3 -m http.server -d \(folder)    then http://localhost:8000/\(build.config.path)
        \(folder)/preview/latest/\(locale)/\(device)/    the same bundles under plain names\(explain ?? "")
      """
  }

  /// For a program.
  var members: Members {
    var members = build.counts.members
    members["app"] = .string(tree.project.app)
    members["config"] = .string("\(folder)/\(build.config.path)")
    members["bounds"] = .dictionary(Members(build.bounds.map { ($0.channel, $0.bound.value) }))
    members["seconds"] = .real(seconds)
    let numbers = [
      ("objectsWritten", summary.objectsWritten), ("objectsKept", summary.objectsKept),
      ("filesWritten", summary.filesWritten), ("filesKept", summary.filesKept),
      ("bytes", summary.bytesTotal), ("bytesGzipped", summary.gzipBytesTotal), ("bytesWritten", summary.bytesWritten),
      ("straysRemoved", summary.straysRemoved),
    ]
    for (key, number) in numbers { members[key] = .integer(Int64(number)) }
    return members
  }
}

extension StalenessBound {
  /// As in `15m30s for a correction (fastly 5m30s + app 10m); after a purge: the purge's own time + 10m`.
  var sentence: String {
    let shares = parts.map { "\($0.layer) \($0.span)" }.joined(separator: " + ")
    return "\(correction) for a correction (\(shares)); after a purge: the purge's own time + \(afterPurge)"
  }

  /// In seconds.
  var value: Value {
    [
      "correction": .integer(Int64(correction.seconds)), "afterPurge": .integer(Int64(afterPurge.seconds)),
      "layers": .array(parts.map { ["layer": .string($0.layer), "seconds": .integer(Int64($0.span.seconds))] }),
    ]
  }
}
