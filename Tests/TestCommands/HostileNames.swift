/// A project whose names would run `touch pwned` if a shell expanded them.
enum HostileNames {
  static let names = [
    "$(touch pwned)", "`touch pwned`", "';touch pwned;'", "\";touch pwned;\"", "(touch pwned)",
    "x\ntouch pwned\n", "x$(touch pwned)", "a;touch pwned", "|touch pwned", "<(touch pwned)",
    "=(touch pwned)", "(e:'touch pwned':)", "\\$(touch pwned)", "${IFS}", "{a,b}", "*", "~", "a b",
    "a:b", "--help", "-", "e\u{1B}]0;x\u{7}", "\u{202E}x",
  ]

  static var project: [(path: String, text: String)] {
    let quoted = names.map { name in
      let escaped = name.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\u{1B}": "\\e"
        case "\u{7}": "\\a"
        default: String(Character(scalar))
        }
      }
      return "\"\(escaped.joined())\""
    }
    func mapping(_ value: String) -> String {
      quoted.map { "  \($0): \(value)\n" }.joined()
    }
    let settings =
      "app: shop\nsourceLocale: en\nlocales: [en, fr, \(quoted.joined(separator: ", "))]\n"
      + "devices:\n  phone: {}\n\(mapping("{}"))"
      + "bundles:\n  all: {include: product/*}\n\(mapping("{include: product/*}"))"
      + "channels:\n  qa: {target: site, cdn: [nginx: {machines: [\"http://127.0.0.1:1\"]}]}\n"
      + quoted.map { "  \($0): {target: \($0), cdn: [\($0)]}\n" }.joined()
    let many =
      "ok: {title: x}\n"
      + zip(names, quoted).map { "\($0): {title: x}\n\($1): {title: x}\n" }.joined()
    return [
      (path: "content/content.yaml", text: settings),
      (path: "content/datatypes/product.yaml", text: "fields:\n  title: {type: string}\n"),
      (path: "content/entries/product/rose.yaml", text: "title: x\n"),
      (path: "content/entries/many.yaml", text: many),
    ]
      + names.flatMap { name in
        [
          (path: "content/entries/product/\(name).yaml", text: "title: x\n"),
          (path: "content/entries/\(name)/x.yaml", text: "title: x\n"),
          (path: "content/entries/\(name).yaml", text: "k: {title: x}\n"),
          (path: "content/datatypes/\(name).yaml", text: "fields: {}\n"),
          (path: "content/strings/\(name).yaml", text: "en: {}\n"),
          (path: "files/\(name).yaml", text: "x\n"),
          (path: "files/d\(name)/x.yaml", text: "x\n"),
        ]
      }
  }

  /// Lines whose last word is to be completed, and the arguments that the words are for.
  static let lines = [
    (["explain", ""], "positional@0"), (["explain", "product/"], "positional@0"),
    (["explain", "--locale", ""], "--locale"), (["explain", "--device", ""], "--device"),
    (["status", ""], "positional@0"), (["bake", "--bundle", ""], "--bundle"),
    (["coverage", "--datatype", ""], "--datatype"), (["purge", "--without", ""], "--without"),
    (["purge", ""], "positional@0"),
  ]
}
