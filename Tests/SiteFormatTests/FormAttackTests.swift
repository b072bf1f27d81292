import ContentModel
import PropertyLists
import SiteFormat
import TestSigning
import Testing

/// Configs that are cut, or that do not have the documented form: see the attacks in docs/reference/trust.md.
@Suite struct FormAttackTests {
  private static let formats = [PropertyListFormat.binary, .xml, .json]

  @Test(arguments: formats) func refusesAConfigThatIsCutAtAnyByte(format: PropertyListFormat) throws
  {
    var publisher = try TestPublisher()
    publisher.format = format
    try publisher.rotate(to: 2)
    let pinned = try TestPublisher().memory()
    let bytes = try publisher.envelope()
    // Without the line feed at the end of some formats, it is the same config.
    let end = bytes.last == UInt8(ascii: "\n") ? bytes.count - 1 : bytes.count
    var memory = pinned
    for count in 0..<end {
      if (try? memory.verify(Array(bytes[..<count]))) != nil || memory != pinned {
        Issue.record("accepted after byte \(count)")
      }
    }
    #expect(throws: Never.self) { try memory.verify(Array(bytes[..<end])) }
  }

  @Test func refusesTrailingBytes() throws {
    for format in [PropertyListFormat.binary, .xml, .json] {
      var publisher = try TestPublisher()
      publisher.format = format
      var memory = try publisher.memory()
      let bytes = try publisher.envelope() + Array("<x/>".utf8)
      #expect(throws: TrustError.malformed(.envelope, .unreadable)) { try memory.verify(bytes) }
    }
  }

  @Test func refusesOpenStepAndNumbersAsText() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let value = try PropertyList.decode(publisher.envelope()).value
    var members = try #require(value.members)
    members["format"] = "2"
    for format in [PropertyListFormat.binary, .openstep] {
      let bytes = try PropertyList.encode(.dictionary(members), as: format)
      #expect(throws: TrustError.malformed(.envelope, .unreadable)) { try memory.verify(bytes) }
    }
  }

  /// Other readers could read another number in these configs, or refuse the configs.
  @Test(
    arguments: [("release", "5"), ("release", 5.0), ("format", "1")] as [(String, Value)])
  func refusesConfigNumbersThatAreNoIntegers(key: String, value: Value) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.config[key] = value
    let error =
      key == "format" ? TrustError.malformed(.config, .unreadable) : .otherConfig(.release)
    #expect(throws: error) { try memory.verify(publisher.envelope()) }
  }

  @Test func refusesAnOpenStepConfigInside() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let config = try PropertyList.encode(.dictionary(publisher.config), as: .openstep)
    #expect(throws: TrustError.malformed(.config, .unreadable)) {
      try memory.verify(publisher.envelope(of: config))
    }
  }

  @Test func refusesAConfigThatWithdrawsItsOwnRelease() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let minimums: [(Int64, Bool)] = [(5, false), (6, true), (.max, true), (-1, true), (0, false)]
    for (minimum, isRefused) in minimums {
      publisher.config["purge"] = ["minimumRelease": .integer(minimum)]
      var copy = memory
      let isVerified = (try? copy.verify(publisher.envelope())) != nil
      #expect(isVerified == !isRefused, "\(minimum)")
    }
    publisher.config["purge"] = ["minimumRelease": 6]
    #expect(throws: TrustError.withdrawn(release: 5)) { try memory.verify(publisher.envelope()) }
    #expect(memory.release == 0)
  }

  @Test(arguments: ["Z", "z", "+00:00", "-00:00", "+01:00", ""])
  func acceptsTimesInUTCOnly(offset: String) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.release["issued"] = .string("2027-01-15T08:00:00\(offset)")
    let isVerified = (try? memory.verify(publisher.envelope())) != nil
    #expect(isVerified == ["Z", "z", "+00:00"].contains(offset))
  }

  @Test(arguments: [1 << 53, (1 << 53) + 1, .max, -1] as [Int64])
  func acceptsNumbersUpToTheLimitOnly(number: Int64) throws {
    var publisher = try TestPublisher()
    publisher.document["unknown"] = ["deep": [.integer(number)]]
    let isDocument = (try? publisher.memory()) != nil
    #expect(isDocument == (0...1 << 53).contains(number))
    publisher.document["unknown"] = nil
    var memory = try publisher.memory()
    publisher.number(Int(number))
    let isVerified = (try? memory.verify(publisher.envelope())) != nil
    #expect(isVerified == (0...1 << 53).contains(number))
  }

  @Test(arguments: [" ", "\n", "="])
  func refusesBase64InOtherForms(text: String) throws {
    var publisher = try TestPublisher()
    publisher.format = .json
    var memory = try publisher.memory()
    let value = try PropertyList.decode(publisher.envelope()).value
    var members = try #require(value.members)
    members["config"] = .string(try #require(members["config"]?.text) + text)
    let bytes = try PropertyList.encode(.dictionary(members), as: .json)
    #expect(throws: TrustError.malformed(.envelope, .member("config"))) {
      try memory.verify(bytes)
    }
  }

  @Test func refusesDuplicateKeysInTheEnvelope() throws {
    var publisher = try TestPublisher()
    publisher.format = .json
    var memory = try publisher.memory()
    let text = String(decoding: try publisher.envelope(), as: UTF8.self)
    let twice = "{\"format\":2," + text.dropFirst()
    #expect(throws: TrustError.malformed(.envelope, .unreadable)) {
      try memory.verify(Array(twice.utf8))
    }
  }
}
