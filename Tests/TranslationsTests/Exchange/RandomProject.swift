import ContentModel
import TestInputs

/// A random project with translations, in every layout and notation.
struct RandomProject {
  private var random: SeededGenerator
  private(set) var fixture: Fixture

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    fixture = Fixture([
      "content.yaml": """
      app: random
      sourceLocale: en
      locales: [en, fr, ar, pt-BR]
      devices: {ipad: {}}
      bundles: {all: {include: ["thing/**", strings/*]}}

      """,
      "datatypes/thing.yaml": """
      fields:
        title: {type: string, localized: true}
        body: {type: text, localized: true}
        count: {type: plural, localized: true}
        lines: {type: list, of: string, localized: true}
        texts: {type: map, of: string, localized: true}
        parts:
          type: list
          of: {type: object, fields: {id: string, label: {type: string, localized: true}}}

      """,
    ])
    makeEntries()
    makeCatalogs()
  }

  private static let words = [
    "rose", "a lily", "it's", "5", "true", "~", "x: y", "ünï", "🌷", "a, b", "[c]", "# d", "- e",
    "two  spaces", " lead", "trail ", "\"q\"", "back\\slash", "line\nline", "line\n",
    "\n\nlow", "tab\tend", "e\u{301}", "é", "a\u{A0}b", "=1+1", "'", "null", "<b>&amp;</b>",
    "مرحبا",
  ]

  /// A text that is not empty.
  mutating func text() -> String {
    (0...random.below(2)).map { _ in random.one(of: Self.words) }.joined(separator: " ")
  }

  private mutating func quoted() -> String {
    var text = "\""
    for scalar in self.text().unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private mutating func plural(_ locale: String) -> String {
    let categories =
      ["ar": ["zero", "one", "two", "few", "many", "other"], "en": ["one", "other"]][locale]
      ?? ["one", "many", "other"]
    return "{" + categories.map { "\($0): \(quoted())" }.joined(separator: ", ") + "}"
  }

  /// Some fields of an entry in a locale, each on its own line.
  private mutating func fields(_ locale: String, shares: Bool, column: Int) -> String {
    var lines: [String] = []
    if random.below(10) < 8 { lines.append("title: \(quoted())") }
    if random.below(10) < 5 { lines.append("body: |\n    first\n    \(random.below(9))") }
    if random.below(10) < 5 { lines.append("count: \(plural(locale))") }
    if random.below(10) < 5 { lines.append("lines: [\(quoted()), \(quoted())]") }
    if random.below(10) < 5 {
      lines.append("texts: {a: \(quoted()), \"b.c\": \(quoted()), d: \(quoted())}")
    }
    if locale == "en" || random.below(10) < 6 {
      let label = locale == "en" || random.once(in: 2)
      lines.append(
        "parts:\n  - {id: one, label: \(quoted())}\n  - id: two"
          + (label ? "\n    label: \(quoted())  # second" : ""))
    }
    if lines.isEmpty { lines = ["title: \(quoted())"] }
    let margin = String(repeating: " ", count: column)
    return lines.joined(separator: "\n").split(separator: "\n").map { margin + $0 + "\n" }.joined()
  }

  private mutating func makeEntries() {
    let shared = random.once(in: 2)
    for locale in ["en", "fr", "ar", "pt-BR"] {
      let suffix = locale == "en" ? "" : ".\(locale)"
      var all = ""
      for number in 0..<4 {
        guard locale == "en" || random.below(10) < 6 else { continue }
        let isOwn = shared ? random.once(in: 4) : !random.once(in: 4)
        if isOwn {
          fixture["entries/thing/t\(number)\(suffix).yaml"] = fields(
            locale, shares: false, column: 0)
        } else {
          all += "t\(number):\n" + fields(locale, shares: true, column: 2)
        }
        if locale == "en", random.once(in: 4) {
          fixture["entries/thing/t\(number)@ipad.yaml"] = "title: \(quoted())\n"
        }
      }
      if !all.isEmpty { fixture["entries/thing\(suffix).yaml"] = all }
    }
  }

  private mutating func makeCatalogs() {
    let isTogether = random.once(in: 4)
    var together = ""
    for locale in ["en", "fr", "ar", "pt-BR"] {
      guard locale == "en" || random.below(10) < 7 else { continue }
      var text = "\(locale):\n  greeting: \(quoted())\n  nested:\n    deep: \(quoted())\n"
      if locale == "en" || random.once(in: 2) {
        text += "    items: \(plural(locale))\n    list: [\(quoted()), \(quoted()), \(quoted())]\n"
      }
      if isTogether { together += text } else { fixture["strings/app.\(locale).yml"] = text }
    }
    if isTogether { fixture["strings/app.yml"] = together }
  }
}
