/// How decoding came to where it is: a chain from the innermost key outwards, made into an array only for an error.
indirect enum DecodingPath {
  case root
  case below(DecodingPath, any CodingKey)

  var keys: [any CodingKey] {
    var (keys, path): ([any CodingKey], DecodingPath) = ([], self)
    while case .below(let outer, let key) = path {
      keys.append(key)
      path = outer
    }
    return keys.reversed()
  }
}

/// The key of an item, or of a superclass's part.
struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = PlainKey(stringValue: "super")

  init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

  init?(intValue: Int) { self.init(index: intValue) }
}
