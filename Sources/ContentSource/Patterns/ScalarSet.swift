import ContentModel

/// The scalars that one part of a regular expression matches.
indirect enum ScalarSet: Sendable {
  case range(ClosedRange<Unicode.Scalar>)
  case property(ScalarProperty)
  case inverted(ScalarSet)
  case union([ScalarSet])
  /// The first set, changed by each operation in turn.
  ///
  /// The operations are a list, because a tree would be as deep as the number of operations.
  case combined(ScalarSet, [(operation: Operation, set: ScalarSet)])
  /// The scalars whose upper-case or lower-case form is in the set.
  case ignoringCase(ScalarSet)

  /// An operation on two sets.
  ///
  /// The raw value is its operator in a class, as in `[a-z--[aeiou]]`.
  enum Operation: String, CaseIterable {
    case intersection = "&&"
    case difference = "--"
    case symmetricDifference = "~~"
  }

  static func scalar(_ scalar: Unicode.Scalar) -> ScalarSet { .range(scalar...scalar) }

  /// Returns `true` if a scalar is in the set, in time proportional to the size of the set.
  ///
  /// The caller passes the case forms of the scalar, because finding them takes longer than
  /// comparing them.
  func contains(_ scalar: Unicode.Scalar, caseForms: [Unicode.Scalar]) -> Bool {
    switch self {
    case .range(let range): range.contains(scalar)
    case .property(let property): property.holds(for: scalar)
    case .inverted(let set): !set.contains(scalar, caseForms: caseForms)
    case .union(let sets): sets.contains { $0.contains(scalar, caseForms: caseForms) }
    case .combined(let first, let others):
      others.reduce(first.contains(scalar, caseForms: caseForms)) { isFound, other in
        let isOther = other.set.contains(scalar, caseForms: caseForms)
        return switch other.operation {
        case .intersection: isFound && isOther
        case .difference: isFound && !isOther
        case .symmetricDifference: isFound != isOther
        }
      }
    case .ignoringCase(let set): caseForms.contains { set.contains($0, caseForms: []) }
    }
  }

  /// Returns `true` if a scalar is in a set that does not ignore case.
  func contains(_ scalar: Unicode.Scalar) -> Bool { contains(scalar, caseForms: []) }

  /// `true` if the set needs the case forms of a scalar.
  var ignoresCase: Bool {
    switch self {
    case .range, .property: false
    case .inverted(let set): set.ignoresCase
    case .union(let sets): sets.contains(where: \.ignoresCase)
    case .combined(let first, let others):
      first.ignoresCase || others.contains(where: \.set.ignoresCase)
    case .ignoringCase: true
    }
  }

  static let newline = ScalarSet.union([
    .range("\n"..."\r"), .scalar("\u{85}"), .range("\u{2028}"..."\u{2029}"),
  ])
  static let digit = ScalarSet.property(.categories([.decimalNumber]))
  static let space = ScalarSet.property(.space)
  static let horizontalSpace = ScalarSet.union([
    .scalar("\t"), .property(.categories([.spaceSeparator])),
  ])
  /// UTS #18, annex C: letters, marks, decimal digits, connectors and joiners.
  static let word = ScalarSet.union([
    .property(.alphabetic), .range("\u{200C}"..."\u{200D}"),
    .property(
      .categories([
        .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation,
      ])),
  ])
  static let all = ScalarSet.inverted(.union([]))
}

/// A property of scalars that a regular expression may ask for.
enum ScalarProperty: Sendable {
  case categories(Set<Unicode.GeneralCategory>)
  case alphabetic, lowercase, uppercase, space, ideographic, emoji, ascii

  func holds(for scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch self {
    case .categories(let categories): categories.contains(properties.generalCategory)
    case .alphabetic: properties.isAlphabetic
    case .lowercase: properties.isLowercase
    case .uppercase: properties.isUppercase
    case .space: properties.isWhitespace
    case .ideographic: properties.isIdeographic
    case .emoji: properties.isEmoji
    case .ascii: scalar.isASCII
    }
  }
}

extension ScalarSet {
  /// Creates the property with a name in `\p{…}` or `[:…:]`.
  ///
  /// Names are compared without case, `_`, `-`, spaces and a leading `is` (UTS #18, 1.2).
  init?(property name: String) {
    var key = String(name.unicodeScalars.filter { !" _-".unicodeScalars.contains($0) }).lowercased()
    for prefix in ["generalcategory=", "gc=", "is"] where key.hasBytePrefix(prefix) {
      key = key.dropping(prefix)
      break
    }
    if let set = Self.named[key] {
      self = set
    } else if let categories = Self.categories[key] {
      self = .property(.categories(categories))
    } else {
      return nil
    }
  }

  private static let named: [String: ScalarSet] = [
    "any": .all, "ascii": .property(.ascii),
    "assigned": .inverted(.property(.categories([.unassigned]))),
    "alphabetic": .property(.alphabetic), "alpha": .property(.alphabetic),
    "lowercase": .property(.lowercase), "lower": .property(.lowercase),
    "uppercase": .property(.uppercase), "upper": .property(.uppercase),
    "whitespace": .space, "space": .space, "ideographic": .property(.ideographic),
    "emoji": .property(.emoji),
    "digit": .digit, "word": .word, "blank": .horizontalSpace,
    "alnum": .union([.property(.alphabetic), .digit]),
    "xdigit": .union([.range("0"..."9"), .range("a"..."f"), .range("A"..."F")]),
    "cntrl": .property(.categories([.control])),
  ]

  private static let categories: [String: Set<Unicode.GeneralCategory>] = {
    let single: [(String, String, Unicode.GeneralCategory)] = [
      ("lu", "uppercaseletter", .uppercaseLetter), ("ll", "lowercaseletter", .lowercaseLetter),
      ("lt", "titlecaseletter", .titlecaseLetter), ("lm", "modifierletter", .modifierLetter),
      ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
      ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark),
      ("nd", "decimalnumber", .decimalNumber), ("nl", "letternumber", .letterNumber),
      ("no", "othernumber", .otherNumber), ("pc", "connectorpunctuation", .connectorPunctuation),
      ("pd", "dashpunctuation", .dashPunctuation), ("ps", "openpunctuation", .openPunctuation),
      ("pe", "closepunctuation", .closePunctuation),
      ("pi", "initialpunctuation", .initialPunctuation),
      ("pf", "finalpunctuation", .finalPunctuation), ("po", "otherpunctuation", .otherPunctuation),
      ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
      ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol),
      ("zs", "spaceseparator", .spaceSeparator), ("zl", "lineseparator", .lineSeparator),
      ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control),
      ("cf", "format", .format),
      ("cs", "surrogate", .surrogate), ("co", "privateuse", .privateUse),
      ("cn", "unassigned", .unassigned),
    ]
    let groups = [
      ("l", "letter"), ("m", "mark"), ("n", "number"), ("p", "punctuation"), ("s", "symbol"),
      ("z", "separator"),
      ("c", "other"),
    ]
    var found: [String: Set<Unicode.GeneralCategory>] = [:]
    for (short, long, category) in single { (found[short], found[long]) = ([category], [category]) }
    for (short, long) in groups {
      let members = Set(single.filter { $0.0.hasPrefix(short) }.map(\.2))
      (found[short], found[long]) = (members, members)
    }
    found["lc"] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
    found["punct"] = found["p"]
    return found
  }()
}

extension Unicode.Scalar {
  /// The scalar, and its forms in other cases that consist of one scalar.
  var caseForms: [Unicode.Scalar] {
    let lower = Self.single(properties.lowercaseMapping) ?? self
    let upper = Self.single(properties.uppercaseMapping) ?? self
    return [self, lower, upper]
      + [Self.single(upper.properties.lowercaseMapping)].compactMap(\.self)
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }
}
