import ContentModel
import PropertyLists
import Testing

@Suite struct ValueDecoderTests {
  struct Product: Decodable, Equatable {
    struct Badge: Decodable, Equatable {
      let id: String
      let height: Int?
    }

    let title: String
    let price: Double
    let stock: UInt16
    let available: Bool
    let tags: [String]
    let badges: [Badge]
    let names: [String: String]
    let from: Instant
    let thumbnail: [UInt8]
    let subtitle: String?
  }

  static let value: Value = [
    "title": "Rosé 🌹", "price": 39.99, "stock": 400, "available": true, "tags": ["a", "b"],
    "badges": [["id": "new", "height": 30], ["id": "sale"]], "names": ["fr": "Rose", "é": "x"],
    "from": .date(Instant(secondsSinceReferenceDate: 86_400)), "thumbnail": .data([0, 1, 255]),
  ]

  static let product = Product(
    title: "Rosé 🌹", price: 39.99, stock: 400, available: true, tags: ["a", "b"],
    badges: [.init(id: "new", height: 30), .init(id: "sale", height: nil)],
    names: ["fr": "Rose", "é": "x"],
    from: Instant(secondsSinceReferenceDate: 86_400), thumbnail: [0, 1, 255], subtitle: nil)

  @Test(arguments: PropertyListFormat.allCases)
  func decodesTheSameFromEveryFormat(format: PropertyListFormat) throws {
    let bytes = try PropertyList.encode(Self.value, as: format)
    #expect(try ValueDecoder().decode(Product.self, from: bytes) == Self.product)
  }

  @Test func decodesAPartOfAFile() throws {
    let list = try BinaryPropertyList(PropertyList.encode(["a": [Self.value]], as: .binary))
    #expect(try ValueDecoder().decode(Product.self, from: list.root["a"]?[0]) == Self.product)
    #expect(throws: DecodingError.self) {
      try ValueDecoder().decode(Product.self, from: list.root["b"])
    }
  }

  @Test(
    arguments: [
      (["stock": 70_000], "stock", "The number 70000 does not fit UInt16."),
      (["stock": -1], "stock", "The number -1 does not fit UInt16."),
      (["stock": 1.5], "stock", "The number 1.5 does not fit UInt16."),
      (["stock": "5"], "stock", "Expected an integer but found a string."),
      (["title": 5], "title", "Expected a string but found an integer."),
      (["tags": ["a", 1]], "tags.1", "Expected a string but found an integer."),
      (["tags": "a"], "tags", "Expected an array but found a string."),
      (["badges": [["id": "x"], ["height": 1]]], "badges.1", "There is no key 'id'."),
      (
        ["badges": [["id": "x", "height": true]]], "badges.0.height",
        "Expected an integer but found a boolean."
      ),
      (["names": ["fr": [:]]], "names.fr", "Expected a string but found a dictionary."),
      (["available": 1], "available", "Expected a boolean but found an integer."),
      (["price": "x"], "price", "Expected a number but found a string."),
    ] as [(Members, String, String)])
  func reportsPathAndReason(change: Members, path: String, description: String) throws {
    guard case .dictionary(var members) = Self.value else { return }
    for (key, value) in change { members[key] = value }
    let bytes = try PropertyList.encode(.dictionary(members), as: .binary)
    for decode in [
      { try ValueDecoder().decode(Product.self, from: bytes) },
      { try ValueDecoder().decode(Product.self, from: .dictionary(members)) },
    ] {
      let error = try #require(throws: DecodingError.self) { try decode() }
      let context = try #require(error.context)
      #expect(
        context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(
          separator: ".") == path)
      #expect(context.debugDescription == description)
    }
  }

  @Test func decodesIntegersOfEveryWidthUpToTheirLimits() throws {
    func check<Number: FixedWidthInteger & Decodable & SendableMetatype>(_ type: Number.Type) throws
    {
      let limits = [Int64(clamping: Number.min), Int64(clamping: Number.max)]
      let value = Value.array(limits.map(Value.integer))
      #expect(try ValueDecoder().decode([Number].self, from: value).map(Int64.init) == limits)
      for limit in [
        limits[0].subtractingReportingOverflow(1), limits[1].addingReportingOverflow(1),
      ]
      where !limit.overflow {
        #expect(throws: DecodingError.self) {
          try ValueDecoder().decode([Number].self, from: [.integer(limit.partialValue)])
        }
      }
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    #expect(try ValueDecoder().decode(UInt64.self, from: .integer(.max)) == UInt64(Int64.max))
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(UInt.self, from: -1) }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Float.self, from: 1e300) }
    #expect(try ValueDecoder().decode(Float.self, from: 1.5) == 1.5)
    #expect(try ValueDecoder().decode(Double.self, from: 3) == 3)
  }

  class Base: Decodable {
    let id: Int
  }

  final class Derived: Base {
    let name: String
    let nested: String
    let pair: [Int]

    enum Keys: CodingKey { case name, nested, pair, inner }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decode(String.self, forKey: .name)
      nested = try container.nestedContainer(keyedBy: Keys.self, forKey: .nested).decode(
        String.self, forKey: .inner)
      var items = try container.nestedUnkeyedContainer(forKey: .pair)
      pair = [try items.decode(Int.self), try items.decode(Int.self)]
      #expect(items.isAtEnd)
      try super.init(from: container.superDecoder())
    }
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func decodesNestedContainersAndSuperclasses(format: PropertyListFormat) throws {
    let value: Value = ["name": "n", "nested": ["inner": "i"], "pair": [1, 2], "super": ["id": 7]]
    let derived = try ValueDecoder().decode(
      Derived.self, from: PropertyList.encode(value, as: format))
    #expect(derived.id == 7)
    #expect(derived.name == "n")
    #expect(derived.nested == "i")
    #expect(derived.pair == [1, 2])
  }

  @Test func decodesValuesOfAnyKind() throws {
    let bytes = try PropertyList.encode(["a": Self.value], as: .binary)
    #expect(try ValueDecoder().decode([String: Value].self, from: bytes) == ["a": Self.value])
  }

  struct Address: Decodable, Equatable {
    let text: String
  }

  @Test func decodesATypeWithAFunction() throws {
    var decoder = ValueDecoder()
    decoder.make(Address.self) { value in
      if case .string(let text) = value { Address(text: text) } else { nil }
    }
    #expect(try decoder.decode([Address].self, from: .array(["x"])) == [Address(text: "x")])
    #expect(throws: DecodingError.self) { try decoder.decode([Address].self, from: .array([1])) }
  }

  @Test func reportsTheErrorOfAMalformedFile() throws {
    let bytes = binary([[0xD1, 1, 2], [0x51, 0x61], [0x52, 0x61, 0x80]])
    let error = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode([String: String].self, from: bytes)
    }
    let reason = try #require(error.context?.underlyingError as? PropertyListDecodingError).reason
    #expect(reason == .badString)
  }

  @Test func doesNotDecodeADictionaryWithADuplicateKeyAsAnEmptyOne() throws {
    let bytes = binary([[0xD2, 1, 1, 1, 1], [0x51, 0x61]])
    let error = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode([String: String].self, from: bytes)
    }
    #expect(
      (error.context?.underlyingError as? PropertyListDecodingError)?.reason == .duplicateKey("a"))
  }

  struct Sparse: Decodable {
    let a: String?
  }

  @Test func doesNotDecodeAMalformedMemberAsAMissingOne() throws {
    let bytes = binary([[0xD1, 1, 9], [0x51, 0x61]])
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Sparse.self, from: bytes) }
    #expect(try ValueDecoder().decode(Sparse.self, from: binary([[0xD0]])).a == nil)
  }

  indirect enum Tree: Decodable {
    case leaf
    case branch([Tree])

    init(from decoder: any Decoder) throws {
      if (try? decoder.singleValueContainer().decode(String.self)) != nil {
        self = .leaf
      } else {
        var items = try decoder.unkeyedContainer()
        var all: [Tree] = []
        while !items.isAtEnd { all.append(try items.decode(Tree.self)) }
        self = .branch(all)
      }
    }
  }

  @Test func stopsInAContainerThatContainsItself() throws {
    let error = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode(Tree.self, from: binary([[0xA1, 0]]))
    }
    #expect((error.context?.underlyingError as? PropertyListDecodingError)?.reason == .tooDeep)
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
