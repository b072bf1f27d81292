import ArgumentParser
import ContentCompiler
import ContentDelivery
import ContentModel
import ContentSource
import Diagnostics
import PropertyLists

/// The content of an output folder, built just now or as it is.
struct BuiltContent: Sendable {
  let folder: String

  /// Builds the content folder into the output folder, as `contentc build` does; its report has errors if it came to
  /// nothing.
  static func build(_ input: ContentOptions, _ out: String, _ common: CommonOptions) throws -> Report {
    var command = try BuildCommand.parse(["--content", input.content, "--out", out])
    command.common = common
    return try command.perform()
  }

  /// What is in the folder, and before it what is `fresh`: on its way there.
  func content(fresh: @escaping @Sendable (_ path: String) -> [UInt8]? = { _ in nil }) throws -> ReleaseContent {
    try ReleaseContent(built: folder) { [folder] path in
      fresh(path).map(FileBody.bytes) ?? (try? FileBody(contentsOf: "\(folder)/\(path)"))
    }
  }

  /// Refuses a build that was made of other content than stands in the content folder now.
  func requireUnchanged(_ input: ContentOptions, _ content: ReleaseContent) throws {
    let known = try sources(content)
    let folder = try input.open()
    let there = folder.items.map(\.path).filter { !$0.hasPrefix("assets/") }
    let changed = known.first { path, digest in self.digest(of: path.text, in: folder) != digest }?.key.text
    let unknown = there.filter { known[$0] == nil && $0.hasSuffix(".yaml") }
    // A build record does not name what an embargo withholds.
    let withheld = unknown.isEmpty ? [] : withheldFiles(in: folder)
    guard let other = changed ?? unknown.first(where: { !withheld.contains(ExactString($0)) }) else { return }
    throw Failure(
      .inputOutput, "outdated-build", "'\(other)' changed since '\(self.folder)' was built",
      notes: ["'contentc build' builds it again; without --built, 'publish' does that itself"])
  }

  private func withheldFiles(in folder: ContentFolder) -> Set<ExactString> {
    ContentReader.read(folder).output.map { ContentCompiler.withheldFiles(of: $0, at: Clock.now) } ?? []
  }

  /// The hash of a file as it is now; a large one is not in memory for that.
  private func digest(of path: String, in folder: ContentFolder) -> Digest? {
    if let body = try? FileBody(contentsOf: folder.shownPath(path)) { return body.digest }
    // A symbolic link, maybe: the folder knows where it may lead.
    return (try? folder.read(path)).map { Digest(sha256: $0) }
  }

  /// By path below the content folder: the hash of each file that the build read.
  private func sources(_ content: ReleaseContent) throws -> [ExactString: Digest] {
    var sources: [ExactString: Digest] = [:]
    guard let build = content.members["build"]?.digest, let record = try value(build, content) else { return [:] }
    for (folder, part) in record["sources"]?.members ?? Members() {
      guard let part = try part.digest.flatMap({ try value($0, content) }) else { continue }
      for (name, file) in part["sources"]?.members ?? Members() {
        sources[folder == "." ? name : "\(folder)/\(name)"] = file["hash"]?.digest
      }
    }
    return sources
  }

  private func value(_ digest: Digest, _ content: ReleaseContent) throws -> Value? {
    guard let object = content.objects.first(where: { $0.digest == digest }) else { return nil }
    return try PropertyList.decode(try content.file(object).body.bytes).value
  }
}
