import Diagnostics
import TestInputs
import Testing
import YAML

@testable import ContentSource

/// The types of fields; `docs/reference/content.md`, "Datatypes", lists their properties.
@Suite struct FieldTypeTests {
  static let names = Field.types.map { $0.name }

  /// The types that have limits of numbers.
  static let rangeNames = Field.types.filter { $0.keys["min"] != nil }.map { $0.name }

  @Test func listsEachNameOnce() {
    let names = Field.types.flatMap { [$0.name] + $0.namesElsewhere }
    #expect(names.count > 40 && Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() })
  }

  @Test(arguments: names) func readsEachType(name: String) throws {
    let type = try #require(Field.type(named: name))
    let field = try Self.read("{type: \(name)\(type.required())}")
    #expect(field.problems == [] && field.output.kind.type.name == name)
  }

  @Test(arguments: names) func readsAFieldThatIsOnlyTheNameOfItsType(name: String) throws {
    let type = try #require(Field.type(named: name))
    let field = try Self.read(name)
    if type.required().isEmpty {
      #expect(field.problems == [] && field.output.kind.type.name == name)
    } else {
      #expect(
        field.problems.map { $0.hasSuffix("; write {type: \(name)\(type.required())}") } == [true])
    }
  }

  @Test(arguments: names) func acceptsTheExampleOfEachType(name: String) throws {
    let type = try #require(Field.type(named: name))
    let definition = "fields:\n  a: {type: \(name)\(type.required()), required: true}\n"
    let example = Mistake(
      "", "", at: "entries/note/one.yaml", "a: \(type.example)\n",
      with: ["datatypes/note.yaml": definition, "assets/\(AssetType.example)": ""])
    #expect(example.found == [])
  }

  @Test(arguments: names) func refusesAValueOfAnotherShape(name: String) throws {
    let type = try #require(Field.type(named: name))
    let shapes = ["word", "[[1]]", "{k: [1]}"].map { value in
      Mistake(
        "", "", at: "entries/note/one.yaml", "a: \(value)\n",
        with: ["datatypes/note.yaml": "fields:\n  a: {type: \(name)\(type.required())}\n"])
    }
    let accepted = shapes.filter { $0.found == [] }.count
    #expect(name == AnyType.name ? accepted == 3 : accepted <= 1)
  }

  @Test(arguments: names) func readsItsAttributesAndNoOthers(name: String) throws {
    let type = try #require(Field.type(named: name))
    var all = FieldAttribute.common.keys
    for other in Field.types { all.merge(other.keys) { first, _ in first } }
    let own = FieldAttribute.common.keys.merging(type.keys) { $1 }
    #expect(all.count > 15)
    for (key, value) in all.sorted(by: { $0.key < $1.key }) {
      let problems = try Self.read(
        "{type: \(name), \(key): \(own[key] ?? value)\(type.required(but: key))}"
      ).problems
      if own[key] != nil {
        #expect(problems == [])
      } else {
        let rule = "unknown key '\(key)' in field 'a'"
        #expect(problems.map { $0.hasPrefix(rule) } == [true], "\(key): \(problems)")
      }
    }
  }

  @Test(arguments: rangeNames) func printsLimitsAsAuthorsWriteThem(name: String) throws {
    let type = try #require(Field.type(named: name) as? any ScalarType.Type)
    let (least, most) = (try #require(type.keys["min"]), try #require(type.keys["max"]))
    let limits = try Self.read("{type: \(name), min: \(least), max: \(most)}").output.limits
    #expect(limits.minimum.map { type.written($0) } == least)
    #expect(limits.maximum.map { type.written($0) } == most)
  }

  @Test(arguments: rangeNames) func checksLimitsInTheirSyntax(name: String) throws {
    let type = try #require(Field.type(named: name))
    let (least, most) = (try #require(type.keys["min"]), try #require(type.keys["max"]))
    func found(_ limit: String, _ value: String) -> [String] {
      Mistake(
        "", "", at: "entries/note/one.yaml", "a: \(value)\n",
        with: ["datatypes/note.yaml": "fields:\n  a: {type: \(name), \(limit)}\n"]
      ).diagnostics.map { "\($0.message) [\($0.id)]" }
    }
    #expect(found("min: \(least)", least) == [] && found("min: \(least)", most) == [])
    #expect(found("max: \(most)", most) == [] && found("max: \(most)", least) == [])
    #expect(found("min: \(most)", least) == ["'a' must be at least \(most) [out-of-range]"])
    #expect(found("max: \(least)", most) == ["'a' must be at most \(least) [out-of-range]"])
    #expect(
      try Self.read("{type: \(name), min: \(most), max: \(least)}").problems
        == ["'max' must be at least 'min'"])
  }

  @Test func documentsEachTypeAndAttribute() throws {
    try DerivedTable(["type", "accepts", "readers get"], Self.types).expect(
      in: "docs/reference/content.md")
    try DerivedTable(["attribute", "for", ""], Self.attributes).expect(
      in: "docs/reference/content.md")
  }

  /// The rows of the types; adjacent types with the same values share a row.
  private static var types: [[String]] {
    var rows: [(names: [String], cells: [String])] = []
    for type in Field.types {
      let cells = [type.accepts, type.readersGet]
      if rows.last?.cells == cells {
        rows[rows.count - 1].names.append(type.name)
      } else {
        rows.append(([type.name], cells))
      }
    }
    return rows.map { [$0.names.map { "`\($0)`" }.joined(separator: ", ")] + $0.cells }
  }

  /// The rows of the table of attributes.
  ///
  /// The attributes that all types have come first.
  private static var attributes: [[String]] {
    var rows: [(attribute: FieldAttribute, names: [String])] = []
    for type in Field.types {
      for attribute in type.attributes {
        let place = rows.firstIndex {
          $0.attribute.cell == attribute.cell && $0.attribute.meaning == attribute.meaning
        }
        if let place {
          rows[place].names.append(type.name)
        } else {
          rows.append((attribute, [type.name]))
        }
      }
    }
    return FieldAttribute.common.map { [$0.cell, "all", $0.meaning] }
      + rows.map { attribute, names in
        let types = names.map { "`\($0)`" }.joined(separator: ", ")
        return [attribute.cell, types, attribute.meaning]
      }
  }

  /// Reads one definition of a field `a`; returns its messages and the field.
  private static func read(_ definition: String) throws -> (problems: [String], output: Field) {
    let tree = YAMLReader().read(Array("a: \(definition)\n".utf8), path: "a.yaml")
    let member = try #require(tree.output?.members.first)
    let read = FieldReader.read(member.value, name: "a", at: member.key)
    return ((tree.diagnostics + read.diagnostics).map(\.message), read.output)
  }
}

extension FieldType {
  /// The keys of the attributes that only some types have, each with a valid value.
  fileprivate static var keys: [String: String] { attributes.keys }

  /// The required attributes, as the end of a definition.
  fileprivate static func required(but omitted: String = "") -> String {
    attributes.filter(\.isRequired).flatMap { $0.keys }.filter { $0.key != omitted }.map {
      ", \($0.key): \($0.value)"
    }.joined()
  }
}

extension [FieldAttribute] {
  fileprivate var keys: [String: String] {
    var keys: [String: String] = [:]
    for (key, value) in flatMap(\.keys) { keys[key] = value }
    return keys
  }
}

extension FieldAttribute {
  /// The first cell of the attribute's row.
  fileprivate var cell: String {
    keys.map { showsValue ? "`\($0.key): \($0.value)`" : "`\($0.key)`" }.joined(separator: ", ")
  }
}
