import ContentModel
import PropertyLists
import SystemC
import TestReaders
import Testing

@testable import TestCommands

/// Dates and embargoes, from the content folder to the app's screen.
@Suite struct ScheduledContentTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "cat >> content/content.yaml <<'E'\nchannels: {qa: {target: site, latest: true}}\nE")
    // Removes the shop's own embargo.
    try sandbox.shell(
      "rm content/entries/product/lilac.yaml && sed -i '/id: deal/d' content/entries/product.yaml")
  }

  @Test func showsAndHidesListItemsOnTime() async throws {
    let (start, end) = (Self.now + 120, Self.now + 140)
    try sandbox.write(
      "content/entries/product/rose.yaml",
      """
      title: Rose
      price: 3
      badges:
        - {id: soon, label: Soon, when: {from: \(Self.text(start))}}
        - {id: gone, label: Gone, when: {until: \(Self.text(end))}}

      """)
    try sandbox.write(
      "content/entries/product/aster.yaml",
      "title: Aster\nprice: 1\nwhen: {from: \(Self.text(end))}\n")
    let published = try run("publish", "qa")
    #expect(published.contains("next     \(Self.text(start))"), "\(published)")
    let clock = StoppedClock(Instant(secondsSince1970: Self.now))
    let app = try reader(clock)
    #expect(await app.refresh())
    #expect(badges(app) == ["gone"] && app.screen["product/aster"] == nil)
    let files = sandbox.tree("site").map(\.path)
    for (moment, ids, isThere) in [
      (start - 1, ["gone"], false), (start, ["soon", "gone"], false),
      (end - 1, ["soon", "gone"], false),
      (end, ["soon"], true),
    ] {
      clock.set(Instant(secondsSince1970: moment))
      #expect(
        badges(app) == ids && (app.screen["product/aster"] != nil) == isThere, "\(moment - start)")
    }
    #expect(sandbox.tree("site").map(\.path) == files)
    // All readers get the same release, so publishing again finds nothing to do.
    #expect(try run("publish", "qa").contains("Nothing to do"))
    let status = try json("status", "qa")["channels"]["qa"]
    #expect(status["nextDate"] == .string(Self.text(start)) && status["embargoUntil"] == nil)
  }

  @Test func hidesContentUnderEmbargoUntilItIsDue() async throws {
    // Seven commands run before it ends, also on a busy machine.
    let time = try ContinuousClock().measure { try run("build") }
    let end = Self.now + max(30, 20 * (time.components.seconds + 1))
    let when = "when: {from: \(Self.text(end)), embargo: true}"
    try sandbox.write(
      "content/entries/product/zebrina.yaml",
      "title: Zebrina\nprice: 9\npicture: zebrina.bin\n\(when)\n")
    try sandbox.write("content/entries/product/zebrina.fr.yaml", "title: Zebrine Zebrina\n")
    try sandbox.write("content/assets/zebrina.bin", "ZEBRINA in a picture")
    try sandbox.write(
      "content/entries/product/rose.yaml",
      "title: Rose\nprice: 3\nbadges:\n  - {id: zebrina, label: Zebrina, \(when)}\n  - {id: new, label: New}\n"
    )
    let published = try run("publish", "qa")
    #expect(published.contains("embargo  until \(Self.text(end))"), "\(published)")
    #expect(try secrets() == [], "an embargo's bytes are public")
    #expect(try json("status", "qa")["channels"]["qa"]["embargoUntil"] == .string(Self.text(end)))

    let early = try sandbox.run("publish", "qa", "--if-due", "--json")
    let reported = try PropertyList.decode(Array(early.output.utf8), as: .json).value
    #expect(early.status == 0 && reported["due"] == false && reported["changed"] == false)
    #expect(
      try run("publish", "qa", "--if-due").hasPrefix(
        "Nothing is due: the next embargo in 'qa' ends at"))
    #expect(try run("publish", "qa", "--dry-run").contains("Nothing was published"))
    // The build has no trace of it, either, and can be published unchanged.
    #expect(try run("publish", "qa", "--built").contains("Nothing to do"))

    // The request may wait for a thread until after the end. The app's clock stays a second before.
    let clock = StoppedClock(Instant(secondsSince1970: end - 1))
    let app = try reader(clock)
    #expect(await app.refresh())
    #expect(badges(app) == ["new"])
    while Self.now < end { try await Task.sleep(for: .seconds(1)) }
    let status = try sandbox.run("status", "qa")
    #expect(status.status == 0 && status.errors.contains("[embargo-ended]"), "\(status.errors)")
    #expect(status.output.contains("EMBARGO  ended at \(Self.text(end))"), "\(status.output)")
    #expect(try sandbox.run("publish", "qa", "--built").errors.contains("outdated-build"))
    #expect(try run("publish", "qa", "--if-due").contains("Published release 2"))
    clock.set(Instant(secondsSince1970: end))
    #expect(await app.refresh())
    #expect(badges(app) == ["zebrina", "new"])
    #expect(try !secrets().isEmpty)
    #expect(
      try run("publish", "qa", "--if-due").hasPrefix(
        "Nothing is due: no embargo withholds anything in 'qa'"))

    try run("rollback", "qa")
    let held = try sandbox.run("publish", "qa", "--if-due")
    #expect(
      held.status == 0 && held.errors.contains("is a rollback, which --if-due does not undo"),
      "\(held.errors)")
    // A purge keeps the rollback.
    try run("purge", "qa", "product/tulip", "--reason", "Sold out")
    let purged = try sandbox.run("publish", "qa", "--if-due")
    #expect(
      purged.errors.contains("is a rollback, which --if-due does not undo"), "\(purged.errors)")
    #expect(try json("status", "qa")["channels"]["qa"]["release"] == 4)
  }

  @Test func refusesABuildForAnotherInstant() throws {
    let end = Self.now + 3_600
    let when = "when: {from: \(Self.text(end)), embargo: true}"
    let item = "title: Rose\nprice: 3\nbadges:\n  - {id: soon, label: Soon, \(when)}\n"
    let rose = "content/entries/product/rose.yaml"
    for (path, text, subject) in [
      (rose, item, "'product/rose' (badges[soon])"),
      ("content/entries/product/aster.yml", "title: Aster\nprice: 1\n\(when)\n", "'product/aster'"),
    ] {
      try sandbox.write(path, text)
      for at in [end, end + 1] {
        try run("build", "--at", Self.text(at))
        let early = try sandbox.run("publish", "qa", "--built")
        #expect(early.status == 74 && early.errors.contains("[outdated-build]"), "\(early)")
        let sentence =
          "'out' shows content under embargo until \(Self.text(end)): \(subject); it is "
        #expect(
          early.errors.hasPrefix("\(path):") && early.errors.contains(sentence), "\(early.errors)")
        #expect(early.errors.contains("'contentc build' builds it for now"), "\(early.errors)")
      }
      #expect(sandbox.read("site/qa/config.plist") == nil)
      try sandbox.shell("rm \(path)")
      if path == rose { try sandbox.write(rose, "title: Rose\nprice: 3\n") }
    }
    try sandbox.write(rose, item)
    for at in [Self.now - 60, end - 1] {
      try run("build", "--at", Self.text(at))
      try run("publish", "qa", "--built")
    }
    // An embargo of an item or of an entry has ended since the build.
    let past = Self.now - 60
    for (path, text, subject) in [
      (
        rose, item.replacing(Self.text(end), with: Self.text(past)), "'product/rose' (badges[soon])"
      ),
      (
        "content/entries/product/aster.yml",
        "title: Aster\nprice: 1\nwhen: {from: \(Self.text(past)), embargo: true}\n",
        "'product/aster'"
      ),
    ] {
      try sandbox.write(path, text)
      try run("build", "--at", Self.text(past - 1))
      let stale = try sandbox.run("publish", "qa", "--built")
      let sentence = "'out' lacks content whose embargo ended at \(Self.text(past)): "
      #expect(stale.status == 74 && stale.errors.contains(sentence), "\(stale)")
      #expect(stale.errors.contains(subject), "\(stale.errors)")
      try run("build")
      try run("publish", "qa", "--built")
    }
  }

  @Test func refusesABuildWithoutANewFile() throws {
    try run("build")
    try sandbox.write("content/entries/product/aster.yml", "title: Aster\nprice: 1\n")
    let refused = try sandbox.run("publish", "qa", "--built")
    #expect(refused.status == 74, "\(refused)")
    #expect(
      refused.errors.contains("'entries/product/aster.yml' changed since 'out' was built"),
      "\(refused.errors)")
    #expect(try sandbox.run("diff", "qa", "--built").status == 74)
  }

  @Test func publishesNothingWithoutALiveRelease() throws {
    #expect(try run("publish", "qa", "--if-due").contains("nothing was published to 'qa' yet"))
    #expect(sandbox.read("site/qa/config.plist") == nil)
    #expect(try sandbox.run("publish", "qa", "--if-due", "--built").status == 64)
  }

  @Test func diffCountsTheObjectsOfAPublicationByKind() throws {
    try run("publish", "qa")
    try sandbox.shell("sed -i 's/^price: 3/price: 4/' content/entries/product/rose.yaml")
    let text = try run("diff", "qa")
    let found = try json("diff", "qa")
    let sends = found["sends"].items ?? []
    let kinds = sends.compactMap { $0["kind"].found }
    #expect(kinds == ["index", "bundle", "list", "record"], "\(sends)")
    let objects = sends.compactMap {
      if case .integer(let count)? = $0["objects"].found { Int(count) } else { nil }
    }
    #expect(found["newObjects"] == .integer(Int64(objects.reduce(0, +))))
    #expect(text.contains("A publication sends \(objects.reduce(0, +)) objects, "), "\(text)")
    #expect(text.contains("indexes, one for each locale and device"), "\(text)")
    let published = try json("publish", "qa")
    #expect(published["objectsSent"] == found["newObjects"])
  }

  // MARK: Helpers

  private static var now: Int64 { Int64(time(nil)) }
  private static func text(_ seconds: Int64) -> String {
    Instant(secondsSince1970: seconds).rfc3339
  }

  private func reader(_ clock: StoppedClock) throws -> ClientReader {
    try ClientReader(channel: "qa", locale: "en", clock: clock) { [sandbox] key in
      sandbox.read("site/\(key)")
    }
  }

  private func badges(_ app: ClientReader) -> [String] {
    guard case .array(let items)? = app.screen["product/rose"]["badges"].found else { return [] }
    return items.compactMap { if case .string(let id)? = $0["id"].found { id } else { nil } }
  }

  /// Returns the files of the target and of the build that reveal content under embargo, compressed
  /// or not.
  private func secrets() throws -> [String] {
    let found = try sandbox.shell(
      """
      for f in $(find site out -type f); do
        case $f in *zebrin*|*Zebrin*) echo $f;; esac
        case $f in *.gz) gzip -dc $f;; *) cat $f;; esac | grep -aiq zebrin && echo $f
      done
      for f in content/entries/product/zebrina.yaml content/entries/product/zebrina.fr.yaml content/assets/zebrina.bin; do
        hex=$(sha256sum $f | cut -d' ' -f1)
        grep -arl "$hex" site out
        grep -arlP "$(echo $hex | sed 's/../\\x&/g')" site out
        find site out -name "*$hex*"
      done
      """)
    return found.output.split(separator: "\n").map(String.init)
  }

  @discardableResult private func run(_ arguments: String...) throws -> String {
    let done = try sandbox.run(Sandbox.binary, arguments)
    try #require(done.status == 0, "\(arguments): \(done.errors)")
    return done.output
  }

  private func json(_ arguments: String...) throws -> Value {
    let done = try sandbox.run(Sandbox.binary, arguments + ["--json"])
    try #require(done.status == 0, "\(arguments): \(done.errors)")
    return try PropertyList.decode(Array(done.output.utf8), as: .json).value
  }
}
