import ContentModel
import ContentTrust
import PropertyLists
import TestSigning
import Testing

/// Configs that are cut, or of another form than the documented one: see the attacks in
/// docs/trust.md.
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
