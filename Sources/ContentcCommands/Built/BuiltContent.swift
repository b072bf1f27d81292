import ContentBuild
package import ContentReleases
package import ContentSource
import ContentTargets
import System

/// The content of an output folder.
package struct BuiltContent: Sendable {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// Builds the content folder into the output folder for a channel, as `contentc build` does; the
  /// report has errors if the build failed.
  package static func build(
    _ input: ContentOptions, into out: String, for channel: Channel, common: CommonOptions
  ) throws -> Report {
    let style = common.style
    let request = BuildRequest(
      content: input.content, out: out, judgedBy: style.policy,
      hasPseudoLocales: channel.hasPseudoLocales)
    return try BuildCall(request: request, style: style).perform()
  }

  /// Returns the content of the folder.
  ///
  /// `fresh` returns files that are not in the folder yet.
  package func content(fresh: @escaping @Sendable (_ path: String) -> [UInt8]? = { _ in nil })
    throws
    -> ReleaseContent
  {
    try ReleaseContent(built: folder) { [folder] path, limit in
      if let bytes = fresh(path) { return .bytes(bytes) }
      do { return try FileBody(contentsOf: "\(folder)/\(path)", limit: limit) } catch {
        if case StoreError.tooLarge = error { throw error }
        return nil
      }
    }
  }
}
