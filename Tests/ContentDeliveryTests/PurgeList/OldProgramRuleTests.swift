import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The rules by which contentc of commit 233fb599 reads a channel's purges, copied from there.
private enum OldProgram {
  /// Its `PurgeFile.init`: the number and the digits in the name of a manifest; `nil` for a file that
  /// it leaves alone.
  static func file(_ key: String) -> (sequence: Int, record: String?)? {
    let file = key.utf8.split(separator: UInt8(ascii: "/")).last ?? key[...].utf8
    let ending = ".plist".utf8
    guard file.suffix(ending.count).elementsEqual(ending) else { return nil }
    let name = file.dropLast(ending.count)
    // Its `NumberedName.init`.
    let digits = name.prefix(while: \.isDigit)
    guard digits.first != UInt8(ascii: "0"), let number = Int(Substring(digits)),
      (1...1 << 53).contains(number)
    else { return nil }
    let rest = name[digits.endIndex...]
    if rest.isEmpty { return (number, nil) }
    let hash = rest.dropFirst()
    guard rest.first == UInt8(ascii: "-"), hash.count == 16,
      hash.allSatisfy({ $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) })
    else { return nil }
    return (number, String(Substring(hash)))
  }

  /// Its `PurgeManifest.read`, which a publication calls for every finished purge: the error.
  static func refusal(of bytes: [UInt8]) -> String? {
    guard let value = try? PropertyList.decode(bytes).value, let format = value["format"]?.number,
      format > 1, value["sequence"] != nil, value["record"] != nil
    else { return nil }
    return "was written by a newer contentc (format \(format)); update this one"
  }

  /// Its `RemovalHolder.endangered`: those of some objects that the holder of a lock may remove, whose
  /// plan is a file.
  static func endangered(_ objects: [ReleaseObject], plan bytes: [UInt8]) -> [ReleaseObject] {
    guard let value = try? PropertyList.decode(bytes).value else { return objects }
    if let marked = value["marked"]?.members { return objects.filter { marked[$0.key] != nil } }
    guard let planned = ReleaseObject.readAll(value["objects"]) else { return objects }
    let digests = Set(planned.map(\.digest))
    return objects.filter { digests.contains($0.digest) }
  }
}

/// Files of purges as contentc of commit 233fb599 reads them beside this one.
@Suite struct OldProgramRuleTests {
  private let folder = PurgeFolder(number: 7, digits: "0123456789abcdef")

  private func key(_ name: PurgeName) -> String { name.key(in: "production") }

  @Test func takesNoNoteForAManifest() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: seed)
      let key = key(.note(random.purgeNote(), in: folder))
      #expect(OldProgram.file(key) == nil, "\(key)")
    }
  }

  @Test func findsItsOwnManifests() throws {
    let final = try #require(OldProgram.file(key(.number(7))))
    #expect(final.sequence == 7 && final.record == nil)
    let pending = try #require(OldProgram.file(key(.pendingManifest(folder))))
    #expect(pending.sequence == 7 && pending.record == folder.digits)
  }

  /// It reads this file as that of a finished purge, and must not publish what the purge removed.
  @Test func refusesToPublishAfterANumberWasTaken() throws {
    let bytes = try NoteFormat.numberFile(7).bytes
    #expect(
      OldProgram.refusal(of: bytes)
        == "was written by a newer contentc (format 2); update this one")
  }

  /// Its publications wait while another command removes the objects that they need, and no others.
  @Test func readsTheObjectsThatARemovalPlans() throws {
    let objects = (0..<3).map {
      ReleaseObject(digest: Digest(of: [$0]), fileExtension: "plist", size: 1)
    }
    let plan = try CopiesNote(objects: Array(objects.prefix(2))).file.bytes
    #expect(OldProgram.endangered(objects, plan: plan) == Array(objects.prefix(2)))
    let none = try CopiesNote(objects: []).file.bytes
    #expect(OldProgram.endangered(objects, plan: none).isEmpty)
  }
}
