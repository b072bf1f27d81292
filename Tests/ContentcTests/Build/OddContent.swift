@testable import TestCommands

/// Values that are difficult for property list readers but that every format must carry.
///
/// The content omits values that foreign readers themselves get wrong. plutil takes `CF$UID` in XML
/// for an archiver's reference, merges canonically equivalent keys, and reads JSON's negative
/// integers of 19 digits as reals. plistutil loses -0.0 and a carriage return on the way to XML.
enum OddContent {
  static let files: [(path: String, text: String)] = [
    (
      "content/content.yaml",
      """
      app: odd
      sourceLocale: en
      locales: [en]
      bundles:
        all: {include: odd/*}
        each: {include: odd/*, split: entry}

      """
    ),
    (
      "content/datatypes/odd.yaml",
      """
      open: true
      fields:
        date: {type: date}
        blob: {type: data}
        number: {type: number}
        count: {type: integer}

      """
    ),
    (
      "content/entries/odd/scalars.yaml",
      #"""
      date: 2026-12-24T18:00 Europe/Paris
      blob: AAECAwT/
      number: 0.1
      count: -9007199254740993
      numbers: [0.0, 1.0, -1.5, 1e-7, 1e21, 123456789.125, 5e-324, 1.7976931348623157e308, 3.141592653589793]
      integers: [0, 1, -1, 127, 128, 255, 256, 32767, 65535, 65536, 2147483647, -2147483648, 4294967295, 9223372036854775807, -99999999999999999]
      booleans: [true, false]
      dates: ["2026-12-24", "text"]
      binary: !!binary AAECAwT/
      empty binary: !!binary ""

      """#
    ),
    (
      "content/entries/odd/texts.yaml",
      #"""
      empty: ""
      spaces: "  two  "
      tab: "a\tb"
      lines: "a\nb\n"
      quotes: "\"'`"
      backslash: "a\\b\\u00e9\\351"
      markup: "<a href='x'>&amp;</a> ]]> <!-- -->"
      comment: "/* no */ // no"
      plain: "a_b-c.d/e:f$g"
      numbers: ["1", "true", "1.10", "0x10", "<0001>", "1e3", "null", "~"]
      accents: "é è ü ß"
      decomposed: "e\u0301"
      wide: "日本語 中文 한국어"
      rtl: "مرحبا \u200f\u200e"
      emoji: "👩‍👩‍👧‍👦 🌷"
      astral: "\U0001F339\U00010000\U0010FFFF"
      separators: "\u2028\u2029\u0085\u00a0"
      delete: "\x7f\x80"
      semicolon: "a;b={c}(d)"
      bom: "a\uFEFFb"

      """#
    ),
    (
      "content/entries/odd/shapes.yaml",
      #"""
      emptyList: []
      emptyMapping: {}
      deep: {a: {b: {c: {d: [[[[1]]]]}}}}
      mixed: [1, "1", true, [], {}, {x: []}]
      "": empty key
      "a b": space
      "1": one
      "é": accent
      "日本": wide
      "🌷": astral
      "a.b": dot
      "\"": quote
      "a\nb": line
      "<key>": markup
      type: any
      size: 5
      object: x

      """#
    ),
  ]
}
