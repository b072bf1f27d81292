/// The few lines that every reader of config has: `matches`, then the declared locales, then one
/// subtag less.
struct LocaleReader {
  let declared: [ExactString: LocaleTag]
  let source: LocaleTag
  var matches: [ExactString: LocaleTag] = [:]

  init(declared: [LocaleTag], source: LocaleTag) {
    self.declared = Dictionary(firstOf: declared.map { ($0.identifier, $0) })
    self.source = source
  }

  func served(_ requested: [String]) -> LocaleTag {
    for text in requested {
      var rest = text[...]
      while !rest.isEmpty {
        let name = String(rest)
        if let found = matches[name] ?? declared[name] { return found }
        rest = rest.utf8.lastIndex(of: UInt8(ascii: "-")).map { rest[..<$0] } ?? ""
      }
    }
    return source
  }
}
