import TestServers
import Testing

@testable import TestCommands

/// An asset that is larger than the publisher's memory limit.
@Suite(.needsServers) struct LargeAssetTests {
  private static let assetBytes = 200 << 20
  private static let limit = 60 << 20

  let sandbox: Sandbox
  let server: SeaweedServer

  init() throws {
    server = try SeaweedServer()
    try server.makeBucket("films")
    sandbox = try Sandbox([
      ("content/datatypes/film.yaml", "fields:\n  title: {type: string}\n  file: {type: asset}\n"),
      ("content/entries/film/roses.yaml", "title: Roses\n"),
      (
        "content/content.yaml",
        """
        app: shop
        sourceLocale: en
        locales: [en]
        bundles: {all: {include: "**"}}
        channels:
          folder: {target: site}
          bucket: {target: "s3://films/v1?endpoint=\(server.buckets)"}

        """
      ),
    ])
  }

  @Test func isNeverLoadedWhole() throws {
    try sandbox.shell("'\(Sandbox.binary)' build")
    let before = try ["folder", "bucket"].map(publishedPeak)
    try sandbox.shell(
      "mkdir content/assets && truncate -s \(Self.assetBytes) content/assets/roses.mp4")
    try sandbox.write("content/entries/film/roses.yaml", "title: Roses\nfile: roses.mp4\n")
    try sandbox.shell("'\(Sandbox.binary)' build")
    let after = try ["folder", "bucket"].map(publishedPeak)
    for (name, peaks) in zip(["folder", "bucket"], zip(before, after)) {
      print(
        "\(name): \(peaks.0 >> 20) MB at most without an asset of \(Self.assetBytes >> 20) MB, \(peaks.1 >> 20) with it"
      )
      #expect(peaks.1 < peaks.0 + Self.limit, "\(name)")
    }
    #expect(try sandbox.shell("cmp content/assets/roses.mp4 site/objects/*/*.mp4").status == 0)
  }

  /// Returns the peak memory of a publication in bytes.
  private func publishedPeak(_ channel: String) throws -> Int {
    let done = try sandbox.script(
      "peak.py", Sandbox.binary, "publish", channel, "--built",
      environment: [
        "AWS_ACCESS_KEY_ID=\(SeaweedServer.key)",
        "AWS_SECRET_ACCESS_KEY=\(SeaweedServer.secretKey)",
      ])
    try #require(done.status == 0, "\(done.errors)")
    return try #require(Int(done.output.dropLast()))
  }
}
