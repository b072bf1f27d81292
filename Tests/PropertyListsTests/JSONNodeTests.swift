import ContentModel
import PropertyLists
import TestInputs
import Testing

/// The reading of JSON as nodes that keep their places.
@Suite struct JSONNodeTests {
  private static func read(
    _ text: [UInt8], list: ExactString = "", entry: inout (offset: Int, key: String?)?
  ) -> Result<JSONNode, TextMistake> {
    text.withUnsafeBufferPointer { bytes in
      do throws(TextMistake) {
        var reader = try JSONReader(bytes)
        do throws(TextMistake) {
          let node = try reader.readDocument(list: list)
          entry = reader.lastEntry
          return .success(node)
        } catch {
          entry = reader.lastEntry
          throw error
        }
      } catch {
        return .failure(error)
      }
    }
  }

  private static func read(_ text: [UInt8]) -> Result<JSONNode, TextMistake> {
    var entry: (offset: Int, key: String?)?
    return read(text, entry: &entry)
  }

  /// Returns the places of a node's keys and values as text, in their order.
  private static func places(of node: JSONNode, in text: [UInt8]) -> [String] {
    let own = String(decoding: text[node.place], as: UTF8.self)
    return [own]
      + (node.members ?? []).flatMap { member in
        [String(decoding: text[member.place], as: UTF8.self)] + places(of: member.value, in: text)
      }
  }

  @Test func keepsThePlacesOfKeysAndValues() throws {
    let text = Array(
      #" {"é\n" : "ü\u0041", "b":{ "c" :-1.5e3,"d": [1,{"x":2}]} ,"e":true,"f":null}"#.utf8)
    let node = try Self.read(text).get()
    #expect(
      Self.places(of: node, in: text) == [
        "{", #""é\n""#, #""ü\u0041""#, #""b""#, "{", #""c""#, "-1.5e3", #""d""#, "[", #""e""#,
        "true", #""f""#, "null",
      ])
    #expect(node.members?.first?.key == "é\n" && node["é\n"]?.value.string == "üA")
    #expect(node["b"]?.value["c"]?.value.string == nil && node["c"] == nil)
    guard case .boolean(true)? = node["e"]?.value.content else {
      Issue.record("'e' is not true")
      return
    }
  }

  @Test(
    arguments: [
      (#"{"a":1,"b":{},"a":2}"#, .duplicateKey("a"), 14),
      (#"{"a":"\ud83c"}"#, .badEscape, 6), (#"{"a":"\"#, .endOfInput, 7),
      ("{\"a\":\"b\nc\"}", .forbiddenCharacter("\n"), 7),
      (#"{"a":-}"#, .badNumber, 5), (#"{"a":01}"#, .expected("',' or '}'"), 6),
      (#"{"a" 1}"#, .expected("':'"), 5), (#"{"a":1,}"#, .expected("a key in quotation marks"), 7),
      ("{\"a\":[1,]}", .expected("a value"), 8), ("{} {}", .expected("the end of the input"), 3),
      (#"{"a":"#, .endOfInput, 5), (" ", .empty, 1),
    ] as [(String, PropertyListDecodingError.Reason, Int)])
  func reportsTheOffsetOfAMistake(
    text: String, reason: PropertyListDecodingError.Reason, offset: Int
  ) {
    #expect {
      try Self.read(Array(text.utf8)).get()
    } throws: { error in
      guard let mistake = error as? TextMistake else { return false }
      return mistake.reason == reason && mistake.offset == offset
    }
  }

  @Test func refusesBytesThatAreNotUTF8AndDeepNesting() {
    #expect(throws: TextMistake.self) { try Self.read([0x22, 0xFF, 0x22]).get() }
    for (depth, isRead) in [(JSONNode.depthLimit, true), (JSONNode.depthLimit + 1, false)] {
      let nested =
        String(repeating: "[", count: depth - 1) + "1" + String(repeating: "]", count: depth - 1)
      #expect(((try? Self.read(Array(nested.utf8)).get()) != nil) == isRead, "\(depth)")
    }
  }

  /// A caller uses `lastEntry` to skip the entry that contains the mistake.
  @Test(
    arguments: [
      (#"{"list":{"a":{"x":1},"b":{"y" 2}}}"#, 21, "b"),
      (#"{"list":{"a":1,},"other":{"c":1}}"#, 15, nil),
      (#"{"list":{"a":1}},"#, 9, "a"),
      (#"{"other":{"c":1},"more" 1}"#, nil, nil),
    ] as [(String, Int?, String?)])
  func notesTheLastEntryOfAList(text: String, offset: Int?, key: String?) {
    var entry: (offset: Int, key: String?)?
    let result = Self.read(Array(text.utf8), list: "list", entry: &entry)
    #expect(throws: TextMistake.self) { try result.get() }
    #expect(entry?.offset == offset && entry?.key == key)
  }

  /// Both readers accept the same texts, except for values that property lists do not have.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func acceptsTheSameTextsAsThePropertyListReader(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (accepted, refused) = (0, 0)
    for _ in 0..<100 {
      var text = try PropertyList.encode(.random(carriedBy: .json, using: &random), as: .json)
      for _ in 0..<random.below(3) {
        let place = random.below(text.count)
        if random.once(in: 2) {
          text[place] = random.one(of: Array("{}[]:,\"\\ntrue0-9.e \u{1}".utf8))
        } else {
          text.remove(at: place)
        }
        if text.isEmpty { text = [0x20] }
      }
      let hasNode = (try? Self.read(text).get()) != nil
      do {
        _ = try PropertyList.decode(text, as: .json)
        accepted += 1
        #expect(hasNode, "\(String(decoding: text, as: UTF8.self))")
      } catch {
        switch error.reason {
        case .null, .integerOutOfRange, .badNumber: break
        default:
          refused += 1
          #expect(!hasNode, "\(error) \(String(decoding: text, as: UTF8.self))")
        }
      }
    }
    #expect(accepted > 10 && refused > 10)
  }
}
