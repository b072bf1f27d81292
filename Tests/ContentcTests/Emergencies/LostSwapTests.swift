import ArgumentParser
import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import Diagnostics
import PropertyLists
import Synchronization
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// Emergency commands at a target where another publisher wins twice.
@Suite struct LostSwapTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(SmallShop.files(products: 2, in: "content"))
    try sandbox.shell("printf 'channels: {qa: {target: site}}\n' >> content/content.yaml")
    try Self.publish("First", in: sandbox)
    try Self.publish("Second", in: sandbox)
  }

  @Test func rollsBackReleasesPublishedMeanwhile() throws {
    let command = try Rollback.parse(["qa", "--content", "\(sandbox.root)/content"])
    let opened = try overtaken(command.delivery)
    let report = try command.rollBack(opened)
    let warnings = "\(report.diagnostics)"
    #expect(report.diagnostics.map(\.rule) == [.publishedSince], "\(warnings)")
    #expect(
      warnings.contains("releases 3 to 4 were published meanwhile and are rolled back, too")
        && warnings.contains("contentc rollback qa --to 4"))
    let live = try #require(try opened.place.live())
    #expect(live.number == 5 && live.record.contentRelease == 1)
  }

  @Test func namesOneReleasePublishedMeanwhile() throws {
    let command = try Rollback.parse(["qa", "--content", "\(sandbox.root)/content"])
    let report = try command.rollBack(try overtaken(command.delivery, by: ["Third"]))
    #expect(
      "\(report.diagnostics)".contains(
        "release 3 was published meanwhile and is rolled back, too"))
  }

  /// Readers get what the purge left of the stable side.
  @Test func rollsBackARolloutAfterAPurge() throws {
    try sandbox.write("content/entries/product/p0.yaml", "title: Next\nprice: 1\n")
    let begun = try sandbox.run("publish", "qa", "--to", "10%", "-q")
    try #require(begun.status == 0, "\(begun.errors)")
    let command = try Rollback.parse(["qa", "--content", "\(sandbox.root)/content"])
    let opened = try overtaken(command.delivery, by: ["product/p1"]) { [sandbox] id in
      let purged = try sandbox.run("purge", "qa", id, "--reason", "Test", "-q")
      guard purged.status == 0 else { throw Sandbox.Problem(message: purged.errors) }
    }
    _ = try command.rollBack(opened)
    let live = try #require(try opened.place.live())
    #expect(live.number == 5 && live.rollout == nil && live.purge?["sequence"] == 1)
    let ids = try ReleaseReader(live.content(at: opened.place.target)).ids()
    #expect(ids.contains("product/p0") && !ids.contains("product/p1"))
  }

  @Test func switchesMaintenanceOnAfterLostSwaps() throws {
    let command = try Maintenance.parse(["on", "qa", "-q", "--content", "\(sandbox.root)/content"])
    let opened = try overtaken(command.delivery)
    _ = try command.change(opened)
    let live = try #require(try opened.place.live())
    #expect(live.number == 5 && live.record.contentRelease == 4)
    #expect(live.maintenance?["active"] == true)
  }

  @Test func switchesMaintenanceOffAfterLostSwaps() throws {
    let on = try sandbox.run("maintenance", "on", "qa", "-q")
    try #require(on.status == 0, "\(on.errors)")
    let command = try Maintenance.parse(["off", "qa", "-q", "--content", "\(sandbox.root)/content"])
    let opened = try overtaken(command.delivery)
    _ = try command.change(opened)
    let live = try #require(try opened.place.live())
    #expect(live.number == 6 && live.record.contentRelease == 5)
    #expect(live.maintenance?["active"] == false)
  }

  private func overtaken(
    _ delivery: DeliveryOptions, by releases: [String] = ["Third", "Fourth"]
  ) throws -> OpenChannel {
    try overtaken(delivery, by: releases) { [sandbox] title in
      try Self.publish(title, in: sandbox)
    }
  }

  /// Opens the channel with a target that loses one swap to each of the releases.
  private func overtaken(
    _ delivery: DeliveryOptions, by releases: [String],
    publish: @escaping @Sendable (String) throws -> Void
  ) throws -> OpenChannel {
    let opened = try delivery.open(
      "qa", using: .ofRelease, writes: true, emergency: .telling)
    let target = OvertakenTarget(opened.place.target, by: releases, publish: publish)
    return OpenChannel(
      project: opened.project, channel: opened.channel,
      place: ChannelPlace(target: target, channel: "qa", app: opened.place.app),
      content: opened.content, memory: opened.memory, isEmergency: true)
  }

  private static func publish(_ title: String, in sandbox: Sandbox) throws {
    try sandbox.write("content/entries/product/p0.yaml", "title: \(title)\nprice: 1\n")
    let outcome = try sandbox.run("publish", "qa", "-q")
    guard outcome.status == 0 else { throw Sandbox.Problem(message: outcome.errors) }
  }
}

/// A folder without a lock, where another release is published just before each of the first swaps.
///
/// A class because it counts the swaps.
private final class OvertakenTarget: Target {
  private let target: any Target
  private let releases: Mutex<[String]>
  private let publish: @Sendable (String) throws -> Void

  init(
    _ target: any Target, by releases: [String],
    publish: @escaping @Sendable (String) throws -> Void
  ) {
    (self.target, self.publish) = (target, publish)
    self.releases = Mutex(releases.reversed())
  }

  var name: String { target.name }
  var hasLock: Bool { false }
  func honorsConditions() throws(TargetError) -> Bool { true }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }

  func read(_ key: String) throws(TargetError) -> StoredFile? { try target.read(key) }

  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try target.create(key, as: file)
  }

  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool
  {
    if key == "qa/config.plist", let title = releases.withLock({ $0.popLast() }) {
      do { try publish(title) } catch { throw TargetError(.failed, "\(error)") }
    }
    return try target.replace(key, with: file, tagged: tagged)
  }

  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try target.holds(key, as: file)
  }

  func remove(_ key: String) throws(TargetError) { try target.remove(key) }

  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try target.list(below: prefix)
  }
}
