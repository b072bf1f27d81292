import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Commands on a machine whose clock is 15 days behind the signed live config.
@Suite struct WrongClockCommandTests {
  private let shop: SignedShop
  private let signed: Instant

  init() throws {
    shop = try SignedShop()
    let sandbox = shop.sandbox
    try sandbox.write("content/content.yaml", "format: json\n" + SignedShop.project)
    try shop.succeed("publish", "qa")
    // The clock of this machine is right, so that the live config is signed by one that is ahead.
    let done = try sandbox.script(
      "sign-later.py", Self.config, "secrets/release.pem", "15")
    try #require(done.status == 0, "\(done)")
    signed = try #require(Instant(rfc3339: done.output.split(separator: "\n").joined()))
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
  }

  private static let config = "site/qa/config.json"

  /// The time at which the live config was signed.
  private func issued() throws -> Instant? {
    let fresh = try shop.served(Self.config)["statements"]?.items?
      .first { $0["type"] == "fresh" }?["body"]?.text
    let body = try PropertyList.decode(Array((fresh ?? "").utf8), as: .json).value
    return body["issued"]?.text.flatMap { Instant(rfc3339: $0) }
  }

  @Test(arguments: [
    ["publish", "qa"], ["publish", "qa", "--dry-run"], ["resign", "qa"],
    ["resign", "qa", "--if-below", "50%"], ["maintenance", "off", "qa"],
    ["publish", "qa", "--draft", "draft"],
  ]) func commandsThatSignRefuse(command: [String]) throws {
    let refused = try shop.run(command)
    #expect(
      refused.status == 69 && refused.errors.contains("this machine's clock shows")
        && refused.errors.contains("--clock-is-right"), "\(refused)")
    #expect(try issued() == signed)
  }

  @Test(arguments: [
    ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"],
    ["maintenance", "on", "qa"],
  ]) func emergenciesWarnAndGoOn(command: [String]) throws {
    let done = try shop.run(command)
    #expect(done.status == 0 && done.errors.contains("[clock-behind]"), "\(done)")
    let now = try #require(try issued())
    #expect(now.secondsSinceReferenceDate == signed.secondsSinceReferenceDate + 1)
  }

  @Test func aPersonMaySayThatTheClockIsRight() throws {
    let status = try shop.run("status", "qa")
    #expect(status.status == 0 && status.errors.contains("[clock-behind]"), "\(status)")
    try shop.succeed("publish", "qa", "--clock-is-right")
    #expect(try #require(try issued()) < signed)
    #expect(!(try shop.run("status", "qa").errors.contains("[clock-behind]")))
  }
}
