import Diagnostics
import Testing

@testable import YAML

@Suite struct YAMLScalarTests {
  static let plain: [(String, YAMLScalar)] = [
    ("~", .null), ("null", .null), ("Null", .null), ("NULL", .null), ("nULL", .text),
    ("none", .text),
    ("true", .boolean(true)), ("True", .boolean(true)), ("TRUE", .boolean(true)), ("tRUE", .text),
    ("false", .boolean(false)), ("False", .boolean(false)), ("FALSE", .boolean(false)),
    ("yes", .text), ("no", .text), ("on", .text), ("off", .text), ("y", .text), ("N", .text),
    ("0", .integer(0)), ("10", .integer(10)), ("+12", .integer(12)), ("-3", .integer(-3)),
    ("010", .integer(10)),
    ("08", .integer(8)), ("0o10", .integer(8)), ("0o8", .text), ("-0o7", .text),
    ("0x1F", .integer(31)),
    ("0xg", .text), ("+0x1", .text), ("0b1", .text), ("1_000", .text), ("190:20:30", .text),
    ("0o", .text),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .integerOutOfRange), ("0xFFFFFFFFFFFFFFFFF", .integerOutOfRange),
    ("3e3", .number(3000)), ("1.", .number(1)), (".5", .number(0.5)), ("-1.5E-2", .number(-0.015)),
    ("+.5", .number(0.5)),
    ("1e", .text), (".", .text), ("-", .text), ("+", .text), ("..1", .text), ("1.2.3", .text),
    ("e3", .text),
    (".e1", .text),
    ("1e999", .number(.infinity)), ("1e-999", .number(0)), ("1.10", .number(1.1)), ("0x1p3", .text),
    (".inf", .number(.infinity)), ("-.INF", .number(-.infinity)), ("+.Inf", .number(.infinity)),
    (".iNF", .text),
    ("inf", .text), ("nan", .text), ("-.nan", .text), ("2026-12-24", .text), ("=", .text),
    ("1 2", .text), ("é", .text),
  ]

  @Test(arguments: plain)
  func resolvesByTheCoreSchema(text: String, meaning: YAMLScalar) throws {
    // A lone dash is no plain scalar of YAML, so the test calls the resolver directly.
    let found = Array(text.utf8).withUnsafeBufferPointer { YAMLScalar(core: $0) }
    #expect(found == meaning)
  }

  @Test func resolvesNotANumber() throws {
    guard case .number(let value) = try node("a: .NaN")["a"]?.scalar else {
      Issue.record("no number")
      return
    }
    #expect(value.isNaN)
  }

  @Test(
    arguments: [
      ("", .null), ("'12'", .text), ("\"true\"", .text), ("! 12", .text), ("!!str 12", .text),
      ("&x ! true", .text),
      ("!!int 12", .integer(12)), ("!!int '12'", .integer(12)), ("!!float 12", .number(12)),
      ("!!bool true", .boolean(true)),
      ("!!null ~", .null), ("!!binary aGk=", .binary([0x68, 0x69])),
      ("!!binary |\n  aG\n  k=\n", .binary([0x68, 0x69])),
      ("|\n  12\n", .text), ("12 # comment", .integer(12)), ("!!str", .text),
    ] as [(String, YAMLScalar)])
  func followsStyleAndTag(written: String, meaning: YAMLScalar) throws {
    #expect(try #require(try node("a: " + written)["a"]).scalar == meaning)
  }

  private func node(_ text: String) throws -> YAMLNode {
    let read = YAMLReader().read(Array(text.utf8), path: "a")
    #expect(!read.hasErrors)
    return try #require(read.output)
  }
}
