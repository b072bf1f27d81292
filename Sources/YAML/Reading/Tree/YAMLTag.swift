/// The meaning of a tag.
enum YAMLTag: UInt8, CaseIterable {
  case none, nonSpecific, string, integer, number, boolean, null, binary, mapping, sequence, unknown

  /// Creates the tag of a URI that libyaml has expanded; without a URI, the node has no tag.
  init(uri: UnsafePointer<UInt8>?) {
    guard let uri else {
      self = .none
      return
    }
    let text = String(cString: uri)
    self = Self.allCases.first { $0.uri == text } ?? .unknown
  }

  /// The tags that are allowed, in the order in which messages name them.
  static let known: [YAMLTag] = [
    .string, .integer, .number, .boolean, .null, .binary, .mapping, .sequence,
  ]

  /// The tag as it is written.
  var name: String {
    switch self {
    case .none, .unknown: ""
    case .nonSpecific: "!"
    case .string: "!!str"
    case .integer: "!!int"
    case .number: "!!float"
    case .boolean: "!!bool"
    case .null: "!!null"
    case .binary: "!!binary"
    case .mapping: "!!map"
    case .sequence: "!!seq"
    }
  }

  /// The form of a text with the tag, in messages.
  var demand: String {
    switch self {
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "'true' or 'false'"
    case .null: "'null', '~' or nothing"
    case .binary: "base64"
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .none, .nonSpecific, .string, .unknown: "a text"
    }
  }

  /// A Boolean value that indicates whether a plain scalar with the tag is a string, whatever its
  /// form.
  var makesText: Bool { self == .nonSpecific || self == .string || self == .unknown }

  /// Returns `true` if a node of a kind may have the tag.
  func suits(_ kind: YAMLNode.Kind) -> Bool {
    switch self {
    case .none, .nonSpecific, .unknown: true
    case .mapping: kind == .mapping
    case .sequence: kind == .sequence
    case .string, .integer, .number, .boolean, .null, .binary: kind == .scalar
    }
  }

  private var uri: String? {
    name.hasPrefix("!!")
      ? "tag:yaml.org,2002:" + name.dropFirst(2) : self == .nonSpecific ? name : nil
  }
}
