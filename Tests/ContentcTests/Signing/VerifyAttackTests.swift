import ContentModel
import SiteFormat
import System
import TestSigning
import Testing

@testable import TestCommands

/// The attacks of docs/reference/trust.md that consist of configs, against `contentc verify`.
@Suite struct VerifyAttackTests {
  @Test func refusesWhatIsNotThePublishers() throws {
    let publisher = try TestPublisher(at: Clock.now)
    let sandbox = try Sandbox([])
    var count = 0
    for (row, attack) in try SignedAttack.all(on: publisher).enumerated() {
      try sandbox.write("\(row).json", bytes: attack.pinned.file())
      // Many forms of one attack are tried where no program is started for each.
      let step = max(1, attack.answers.count / 4)
      let answers = attack.answers.enumerated().filter { $0.offset % step == 0 }.map(\.element)
      for (place, answer) in answers.enumerated() {
        count += 1
        try sandbox.write("\(row).plist", bytes: answer.config)
        let outcome = try sandbox.run(
          Sandbox.binary,
          [
            "verify", "\(row).plist", "--keys", "\(row).json", "--channel", "production",
            "--memory", "\(row).memory",
          ])
        let name: Comment = "\(attack.name), answer \(place): \(outcome.output)\(outcome.errors)"
        #expect(outcome.status == (answer.refusal == nil ? 0 : 1), name)
        let words =
          answer.refusal == SignedAttack.unreadable ? "cannot be read" : answer.refusal ?? ""
        #expect(outcome.errors.contains(words), name)
      }
    }
    #expect(count > 60)
  }

  /// A file of `--memory` is as good as the memory of an app.
  @Test func rememberedFloorsNeverFallButByARecovery() throws {
    let publisher = try TestPublisher(at: Clock.now)
    let sandbox = try Sandbox([])
    var history = try SignedHistory(of: publisher, seed: 1)
    var model = TrustMemory(pinned: try KeyDocument(history.pinned))
    for number in 0..<60 {
      let bytes = try history.next()
      try sandbox.write("config.plist", bytes: bytes)
      try sandbox.write("pinned.json", bytes: history.pinned.file())
      let before = model
      model = TrustMemory(pinned: try KeyDocument(history.pinned), continuing: model)
      let accepted = try? model.verify(bytes, of: "shop", channel: "production", at: Clock.now)
      let outcome = try sandbox.run(
        Sandbox.binary,
        [
          "verify", "config.plist", "--keys", "pinned.json", "--channel", "production",
          "--memory", "memory",
        ])
      #expect(
        outcome.status == (accepted == nil ? 1 : 0),
        "step \(number), \(history.step): \(outcome.errors)")
      #expect(model.follows(before))
    }
  }

  /// Another program, of 80 lines at most, accepts what an app accepts.
  @Test func pythonAcceptsWhatIsThePublishers() throws {
    let sandbox = try Sandbox([])
    var (count, refused) = (0, 0)
    for attack in try SignedAttack.all(on: TestPublisher(at: Clock.now)) {
      try sandbox.write("pinned.json", bytes: attack.pinned.file())
      for answer in attack.answers where answer.refusal == nil {
        count += 1
        try sandbox.write("config.plist", bytes: answer.config)
        let read = try sandbox.script(
          "verify-config.py", "config.plist", "pinned.json", "shop", "production")
        #expect(read.output == "\(answer.release)\n", "\(attack.name): \(read)")
      }
      // The script checks signatures; it has no memory, which later answers may need.
      let refusals = attack.answers.prefix { $0.refusal?.contains("signature") == true }
      for answer in refusals.enumerated().filter({ $0.offset % max(1, refusals.count / 3) == 0 }) {
        refused += 1
        try sandbox.write("config.plist", bytes: answer.element.config)
        let read = try sandbox.script(
          "verify-config.py", "config.plist", "pinned.json", "shop", "production")
        #expect(read.status != 0 && read.output.isEmpty, "\(attack.name): \(read)")
      }
    }
    #expect(count > 15 && refused > 20, "\(count) accepted, \(refused) refused")
  }
}
