import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import TestSigning
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The attacks of docs/reference/trust.md that consist of configs, against an app that pins a key document.
@Suite struct SignedAttackTests {
  private static func attacks() throws -> [SignedAttack] {
    try SignedAttack.all(on: SignedScene().publisher)
  }

  @Test func refusesWhatIsNotThePublishers() async throws {
    for attack in try Self.attacks() {
      let scene = try SignedScene()
      let client = try scene.client(pinning: attack.pinned, storing: true)
      let log = EventLog(client)
      var model = TrustMemory(pinned: try KeyDocument(attack.pinned))
      for (place, answer) in attack.answers.enumerated() {
        let name: Comment = "\(attack.name), answer \(place)"
        let shown = client.snapshot.release
        try scene.serve(answer.config)
        let failure = await client.refreshed().failure
        _ = try? model.verify(
          answer.config, of: "shop", channel: "production", at: scene.scene.clock.now)
        // Floors and documents are those of the verification.
        #expect(await client.trust == model, name)
        if let words = answer.refusal {
          #expect(failure?.reason.contains(words) == true, "\(name): \(failure?.reason ?? "")")
          #expect(client.snapshot.release == shown, name)
          let isReported = await log.has {
            if case .refused(let error) = $0 { error == failure } else { $0.isFailure(failure) }
          }
          #expect(isReported, name)
        } else {
          #expect(failure == nil, "\(name): \(failure?.reason ?? "")")
          #expect(client.snapshot.release == answer.release, name)
          #expect(client.title("product/rose") == "Rose", name)
        }
      }
      // Another start knows the same.
      try await expectStored(model, scene, attack)
    }
  }

  private func expectStored(
    _ model: TrustMemory, _ scene: SignedScene, _ attack: SignedAttack
  ) async throws {
    // Only what changed is written.
    guard try model != TrustMemory(pinned: KeyDocument(attack.pinned)) else { return }
    let isStored = try await scene.scene.stores { $0.trust == model }
    #expect(isStored, "\(attack.name)")
  }
}

extension ContentEvent {
  /// Returns whether this is the event of a refresh that failed.
  func isFailure(_ error: ContentError?) -> Bool {
    if case .failed(let failure) = self { failure == error } else { false }
  }
}
