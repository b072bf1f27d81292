import ContentModel
import TestServers
import Testing

@testable import ContentBuild

@Suite struct SealedRecordTests {
  private let key = Sample.samples(1)[0].digest

  @Test(arguments: [0, 1, 77, 78, 79, 80, 127, 128, 129, 16_300, 16_384, 70_000])
  func opensASealedRecord(count: Int) {
    let record = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for secret in [nil, "secret"] {
      let seal = SealedRecord(secret: secret)
      #expect(seal.opened(seal.sealed(record, key: key), key: key) == record)
    }
  }

  @Test func isAnActionResultWhoseOutputIsTheRecord() {
    // Field 5 of type 2 with 53 bytes: 18 for the mark, 32 for the seal, 3 for the record.
    #expect(
      SealedRecord(secret: nil).sealed([1, 2, 3], key: key).prefix(4) == [0x2A, 53, 0x63, 0x6F])
  }

  @Test func refusesEveryDamagedRecord() {
    let seal = SealedRecord(secret: nil)
    let sealed = seal.sealed(Array("a record".utf8), key: key)
    for index in sealed.indices {
      for bit in 0..<8 {
        var damaged = sealed
        damaged[index] ^= 1 << bit
        #expect(seal.opened(damaged, key: key) == nil, "bit \(bit) of byte \(index)")
      }
      #expect(seal.opened(Array(sealed[..<index]), key: key) == nil, "cut after \(index)")
    }
    #expect(seal.opened(sealed + [0], key: key) == nil)
    #expect(seal.opened([UInt8](repeating: 0xFF, count: 100), key: key) == nil)
    #expect(seal.opened([0x2A] + [UInt8](repeating: 0x80, count: 100), key: key) == nil)
  }

  @Test func refusesAnotherSecretAndAnotherKey() {
    let sealed = SealedRecord(secret: "one").sealed([1], key: key)
    #expect(SealedRecord(secret: "two").opened(sealed, key: key) == nil)
    #expect(SealedRecord(secret: nil).opened(sealed, key: key) == nil)
    #expect(SealedRecord(secret: "one").opened(sealed, key: Sample.samples(2)[1].digest) == nil)
  }
}
