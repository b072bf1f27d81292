import ContentModel
import PropertyLists
import SiteFormat
import TestInputs
import Testing

/// Recipes that nobody vouches for, and values that JSON lacks; builds are in `ContentCompilerTests`.
@Suite struct RecipeTests {
  /// Returns a recipe with a value as the content of 200 entries, of which each `late`th is late.
  private func recipe(_ value: String, late: Int = .max) -> [UInt8] {
    func entries(_ isLate: Bool) -> String {
      (0..<200).filter { ($0 % late == late - 1) == isLate }.map { number in
        #""e\#(100 + number)":{"content":{"value":\#(value)},"datatype":"item"}"#
      }.joined(separator: ",")
    }
    let text =
      #"{"early":{\#(entries(false))},"late":{\#(entries(true))},"value":{"bundle":"b","format":1}}"#
    return Array(text.utf8)
  }

  /// Returns the hash of what the recipe of a bundle makes; `nil` if the bundle has no recipe.
  private func madeAgain(_ bundle: [UInt8]) throws -> Digest? {
    guard let text = Recipe(of: bundle)?.text else { return nil }
    return Digest(of: try Recipe(text, size: bundle.count).made())
  }

  @Test(
    arguments: [
      (#"{"$date":-0.5}"#, .date(Instant(secondsSinceReferenceDate: -0.5))),
      (#"{"$data":"00ff"}"#, .data([0, 255])), (#"{"$data":""}"#, .data([])),
      (#"{"$":{"$date":"x"}}"#, ["$date": "x"]), (#"{"$":{"$":1}}"#, ["$": 1]),
      (#"{"$date":1,"a":2}"#, ["$date": 1, "a": 2]), ("1", 1), ("1.0", .real(1)),
      ("-9223372036854775808", .integer(.min)), (#"[{"$data":"0a"},{}]"#, [.data([10]), [:]]),
    ] as [(String, Value)])
  func marksStandForValuesThatJSONLacks(json: String, value: Value) throws {
    let bytes = try Recipe(recipe(json), size: 1 << 20).made()
    let bundle = try PropertyList.decode(bytes, as: .binary).value
    #expect(bundle["entries"]?["e107"]?["content"]?["value"] == value)
    let again = try #require(try madeAgain(bytes), "there is a recipe")
    #expect(again == Digest(of: bytes))
  }

  @Test(arguments: [
    #"{"$date":"2026-12-24"}"#, #"{"$date":1}"#, #"{"$data":"0"}"#, #"{"$data":"0g"}"#,
    #"{"$data":[]}"#, #"{"$":1}"#, #"{"$other":1}"#, "null", #"{"a":1,"a":2}"#, #"{"$date":1e999}"#,
  ])
  func malformedMarksAreRefused(json: String) {
    #expect(throws: Recipe.Damage.self) { try Recipe(recipe(json), size: 1 << 20) }
  }

  @Test(arguments: [1, 2, 7, 200, 1_000])
  func lateEntriesAreWrittenAfterTheOthers(late: Int) throws {
    let value = #"{"list":["a",1.5,true],"text":"Größe"}"#
    let bytes = try Recipe(recipe(value, late: late), size: 1 << 20).made()
    let again = try #require(try madeAgain(bytes), "there is a recipe")
    #expect(again == Digest(of: bytes))
    let plain = try Recipe(recipe(value), size: 1 << 20).made()
    #expect(
      try PropertyList.decode(bytes, as: .binary).value
        == PropertyList.decode(plain, as: .binary).value)
    // The last entry, or all of them, change no order.
    #expect((bytes == plain) == [1, 200, 1_000].contains(late))
  }

  @Test(arguments: [[:], ["order": ["c", "a", "b"]], ["order": ["a", "b", "c"]]] as [Members])
  func aMissingOrderIsThatOfTheIDs(order: Members) throws {
    let entry = #"{"content":{"text":"\#(String(repeating: "x", count: 5_000))"}}"#
    var root: Members = ["format": 1]
    root["order"] = order["order"]
    let value = String(
      decoding: try PropertyList.encode(.dictionary(root), as: .json), as: UTF8.self)
    let text = #"{"early":{"a":\#(entry),"b":{}},"late":{"c":{}},"value":\#(value)}"#
    let bytes = try Recipe(Array(text.utf8), size: 1 << 20).made()
    let made = try PropertyList.decode(bytes, as: .binary).value
    #expect(made["order"] == order["order"] ?? ["a", "b", "c"])
    let again = try #require(Recipe(of: bytes)?.text, "there is a recipe")
    #expect(try Recipe(again, size: 1 << 20).made() == bytes)
    let isSorted = made["order"] == ["a", "b", "c"]
    #expect(String(decoding: again, as: UTF8.self).contains("order") != isSorted)
  }

  /// A lifetime comes after the dates, although `ttl` precedes `until`.
  @Test func lifetimesAreWrittenLast() throws {
    let entry = #"{"content":{},"from":{"$date":1.5},"ttl":60,"until":{"$date":2.5}}"#
    let text = #"{"early":{"a":\#(entry)},"value":{}}"#
    let file = try BinaryPropertyList(Recipe(Array(text.utf8), size: 1 << 10).made())
    let found = try #require(try file.root["entries"]?["a"])
    let numbers = try ["content", "from", "until", "ttl"].map { try found[$0]?.number ?? 0 }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 4)
  }

  /// The test vector of docs/reference/output.md.
  @Test(
    arguments: [
      (
        #","order":["a/4","a/3","a/2","a/1"]"#,
        "877460ddccd9b474f1cf3b3de5b6140aa84a735c364607a92db41bb607302d71"
      ),
      ("", "3a1fc1d88f2e3501cd1af1698a2e9695f8ef2c591ac7b95f04cc8e4d738a29a9"),
    ])
  func recipesMakeTheDocumentedBytes(order: String, hash: String) throws {
    let lines = #"""
      {"early":{
      "a/1":{"content":{"at":{"$date":0.5},"n":-1},"datatype":"a"},
      "a/3":{"content":{"map":{"$":{"$x":[{"$data":"00ff"},{},true,300]}}},"datatype":"a"}},
      "late":{
      "a/2":{"content":{"size":1.0,"title":"Größe"},"datatype":"a"},
      "a/4":{"content":{"n":-1,"title":"a/1"},"datatype":"a","ttl":60,"until":{"$date":2.5}}},
      "value":{"bundle":"b","format":1\#(order)}}
      """#
    let bytes = try Recipe(Array(lines.utf8.filter { $0 != 10 }), size: 314).made()
    #expect(bytes.count == 314 && Digest(of: bytes).hex == hash)
  }

  @Test(arguments: [
    #"{"early":[],"value":{}}"#, #"{"early":{},"late":1,"value":{}}"#, #"{"early":{}}"#,
    #"{"early":{},"value":[]}"#, "[]", "{", "", #"{"early":{"a":{}},"late":{"a":{}},"value":{}}"#,
  ])
  func malformedRecipesAreRefused(text: String) {
    #expect(throws: Recipe.Damage.self) { try Recipe(Array(text.utf8), size: 1 << 20) }
  }

  @Test func filesOfOtherWritersHaveNoRecipe() throws {
    let bundle = try PropertyList.decode(
      Recipe(recipe(#""Größe""#), size: 1 << 20).made(), as: .binary
    ).value
    let walked = try PropertyList.encode(bundle, as: .binary)
    #expect(walked.count >= Recipe.smallestBundle && Recipe(of: walked) == nil)
    #expect(Recipe(of: Array("bplist00".utf8) + [UInt8](repeating: 0, count: 5_000)) == nil)
  }

  @Test func smallBundlesHaveNoRecipe() throws {
    let text = #"{"early":{},"value":{"bundle":"b","format":1}}"#
    #expect(Recipe(of: try Recipe(Array(text.utf8), size: 100).made()) == nil)
  }

  @Test(arguments: 0..<400)
  func damagedRecipesNeverTrap(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let whole = recipe(#"{"a":{"$data":"00ff"},"b":[{"$date":1.5},2,"Größe"]}"#, late: 3)
    let size = try Recipe(whole, size: 1 << 20).made().count
    var text = whole
    if random.once(in: 2) {
      for _ in 0...random.below(3) { text[random.below(text.count)] = UInt8(random.below(256)) }
    } else {
      text.removeLast(1 + random.below(text.count))
    }
    // The hash of the bundle finds the damage that is not found here.
    _ = try? Recipe(text, size: size).made()
  }

  @Test func valuesAreLimitedByTheSizeOfTheBundle() {
    let many = recipe("[" + repeatElement("1", count: 5_000).joined(separator: ",") + "]")
    #expect(throws: Recipe.Damage.self) { try Recipe(many, size: 10_000) }
    #expect(throws: Recipe.Damage.self) { try Recipe(many, size: -1) }
    #expect(throws: Recipe.Damage.self) {
      try Recipe([UInt8](repeating: 32, count: Recipe.maximumSize + 1), size: .max)
    }
    #expect(throws: Never.self) { try Recipe(many, size: .max) }
  }
}
