import ContentBuild
import ContentModel
import ContentReleases
import ContentTargets

@testable import ContentPreview
@testable import ContentcCommands

/// The preview's answers about the build in `out/` and about the channel `qa` of the target `site`.
enum HostilePreview {
  static func ask() {
    let source = PreviewSource(
      content: "content", out: "out", build: { _ in .busy }, read: { nil },
      now: { Instant(secondsSince1970: 0) })
    let files = BuildFiles(source)
    _ = ConfigFacts(files).members()
    _ = SizesJSON(generation: 1, sizes: BuildSizes(files).read()).members
    let place = ChannelPlace(target: FolderTarget("site"), channel: "qa", app: "shop")
    let channel = LiveChannel(
      ChannelSource(place, built: BuiltContent(folder: "out"), fresh: FreshFiles()))
    guard let content = try? channel.content() else { return }
    for path in content.objects.names.prefix(5) { _ = try? channel.object(path, of: content) }
    for side in content.sides { _ = try? channel.changes(of: content, side) }
  }
}
