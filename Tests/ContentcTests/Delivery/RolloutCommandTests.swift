import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// `publish --to`, `promote --to` and `rollout`.
@Suite struct RolloutCommandTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels:
        qa: {target: site}
        other: {target: other}
      E
      """)
    #expect(try contentc("publish", "qa").status == 0)
  }

  @discardableResult
  private func contentc(_ arguments: String...) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments)
  }

  private func edit(price: Int) throws {
    try sandbox.shell("sed -i 's/^price: .*/price: \(price)/' content/entries/product/rose.yaml")
  }

  @Test func goesFromAPartToAllReaders() throws {
    try edit(price: 4)
    let begun = try contentc("publish", "qa", "--to", "10%")
    #expect(
      begun.status == 0 && begun.output.contains("Published release 2 of 'qa'")
        && begun.output.contains("10 % of the readers get release 2, the others the content of 1"),
      "\(begun)")
    #expect(begun.output.contains("'contentc rollout qa 50%' goes on, and"), "\(begun)")
    let shown = try contentc("rollout", "qa", "--unit", "test")
    #expect(
      shown.status == 0 && shown.output.contains("(rollout 'r2')")
        && shown.output.contains("unit     test is"), "\(shown)")
    let status = try contentc("status", "qa")
    #expect(status.output.contains("rollout of 2: 10 %"), "\(status)")
    let half = try contentc("rollout", "qa", "50%")
    #expect(
      half.status == 0 && half.output.contains("'contentc rollout qa 100%' goes on, and"), "\(half)"
    )
    let again = try contentc("rollout", "qa", "50%")
    #expect(again.status == 0 && again.output.contains("Nothing to do: release 3"), "\(again)")
    let less = try contentc("rollout", "qa", "20%")
    #expect(less.status == 64 && less.errors.contains("a step only adds readers"), "\(less)")
    let whole = try contentc("rollout", "qa", "100%")
    #expect(
      whole.status == 0 && whole.output.contains("content of 1; 'contentc rollout qa --finish'"),
      "\(whole)")
    let done = try contentc("rollout", "qa", "--finish", "--json")
    let reported = try PropertyList.decode(Array(done.output.utf8), as: .json).value
    #expect(done.status == 0 && reported["release"] == 5 && reported["of"] == 5, "\(done)")
    #expect(try contentc("publish", "qa").output.contains("Nothing to do: release 5"))
    let none = try contentc("rollout", "qa", "--abort")
    #expect(none.status == 66 && none.errors.contains("no rollout is on in 'qa'"), "\(none)")
  }

  @Test(arguments: [["rollout", "qa", "--abort"], ["rollback", "qa"]])
  func isTakenBack(command: [String]) throws {
    try edit(price: 4)
    #expect(try contentc("publish", "qa", "--to", "10%", "--tester", "Ada").status == 0)
    let back = try sandbox.run(Sandbox.binary, command)
    #expect(back.status == 0 && back.output.contains("release 3 of 'qa'"), "\(back)")
    let changes = try contentc("diff", "qa", "--json")
    #expect(changes.output.contains("product/rose"), "\(changes)")
  }

  @Test(arguments: [
    ["publish", "qa"], ["publish", "qa", "--to", "20%"], ["promote", "qa", "other"],
    ["promote", "other", "qa"],
  ])
  func refusesOtherContentWithStatus2(command: [String]) throws {
    #expect(try contentc("publish", "other").status == 0)
    try edit(price: 4)
    #expect(try contentc("publish", "qa", "--to", "10%").status == 0)
    try edit(price: 5)
    let refused = try sandbox.run(Sandbox.binary, command)
    #expect(
      refused.status == 2
        && refused.errors.contains("release 2 reaches 10 % of the readers of 'qa'")
        && refused.errors.contains("--finish") && refused.errors.contains("--abort")
        && refused.errors.contains("--replace-next"), "\(refused)")
    let replaced = try contentc("publish", "qa", "--replace-next")
    #expect(replaced.status == 0 && replaced.output.contains("10 % of the readers get release 3"))
  }

  @Test func promotesToAPart() throws {
    try edit(price: 4)
    #expect(try contentc("publish", "other").status == 0)
    let part = try contentc("promote", "other", "qa", "--to", "0.5%", "--rollout", "spring")
    #expect(
      part.status == 0 && part.output.contains("0.5 % of the readers get release 2"), "\(part)")
    #expect(try contentc("rollout", "qa").output.contains("(rollout 'spring')"))
  }

  /// Its groups would be the same.
  @Test func refusesTheNameOfAnEarlierRollout() throws {
    try edit(price: 4)
    let begin = ["publish", "qa", "--to", "10%", "--rollout", "spring"]
    #expect(try sandbox.run(Sandbox.binary, begin).status == 0)
    #expect(try contentc("rollout", "qa", "--abort").status == 0)
    let again = try sandbox.run(Sandbox.binary, begin)
    #expect(
      again.status == 64 && again.errors.contains("a step of a rollout 'spring'"), "\(again)")
    #expect(try contentc("publish", "qa", "--to", "10%").output.contains("release 4 of 'qa'"))
  }

  /// A rollout has the number of the stable content, as a rollback has that of older content.
  @Test func notifiesOfAPublicationAgain() throws {
    try edit(price: 4)
    for (command, kind) in [
      (["publish", "qa", "--to", "10%"], "publish"), (["rollout", "qa", "50%"], "publish"),
      (["maintenance", "on", "qa"], "maintenance"), (["maintenance", "off", "qa"], "maintenance"),
      (["rollout", "qa", "--abort"], "rollback"),
    ] {
      #expect(try sandbox.run(Sandbox.binary, command).status == 0)
      let again = try contentc("notify", "qa", "--dry-run", "--json")
      let reported = try PropertyList.decode(Array(again.output.utf8), as: .json).value
      #expect(reported["kind"] == .string(kind), "\(command): \(again)")
    }
  }

  /// The shop has an embargo until 2031.
  @Test func saysThatAnEmbargoNeedsTheEndOfTheRollout() throws {
    try edit(price: 4)
    let begun = try contentc("publish", "qa", "--to", "10%")
    for outcome in [begun, try contentc("status", "qa")] {
      #expect(outcome.output.contains("end the rollout before, since"), "\(outcome)")
    }
  }

  @Test func pythonComputesTheSameNumbers() throws {
    try edit(price: 4)
    #expect(try contentc("publish", "qa", "--to", "10%").status == 0)
    for unit in ["1234", "a.b_c-D", String(repeating: "f", count: 32)] {
      let shown = try contentc("rollout", "qa", "--unit", unit, "--json")
      let number = try PropertyList.decode(Array(shown.output.utf8), as: .json).value["unit"]?[
        "number"]?.number
      let program =
        "import hashlib; print(int.from_bytes(hashlib.sha256(b'[\"\(unit)\",\"r2\"]').digest()[:6], 'big'))"
      let python = try sandbox.run("/usr/bin/env", ["python3", "-c", program]).output
      #expect(number.map { "\($0)\n" } == python, "\(shown)")
    }
  }

  @Test func theFirstReleaseIsForAllReaders() throws {
    let first = try contentc("publish", "other", "--to", "10%")
    #expect(
      first.status == 66 && first.errors.contains("nothing is published in 'other'"), "\(first)")
    #expect(sandbox.read("other/other/config.plist") == nil)
  }

  @Test(arguments: [
    (["publish", "qa", "--to", "110%"], "from 0% to 100%"),
    (["publish", "qa", "--tester", "Ada"], "need --to"),
    (["publish", "qa", "--to", "1%", "--rollout", "A b"], "--rollout must be"),
    (["publish", "qa", "--to", "1%", "--tester", "a b"], "is no unit"),
    (["publish", "qa", "--to", "1%", "--replace-next"], "leave out --to"),
    (["rollout", "qa", "50%", "--finish"], "give one of a percentage, --finish and --abort"),
    (["rollout", "qa", "50%", "--unit", "a"], "--unit only shows"),
    (["rollout", "qa", "--unit", "a/b"], "--unit must be"),
  ])
  func refusesImpossibleOptions(command: [String], words: String) throws {
    let refused = try sandbox.run(Sandbox.binary, command)
    #expect(refused.status == 64 && refused.errors.contains(words), "\(refused)")
  }
}
