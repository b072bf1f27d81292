/// The elements of Apple's XML format.
enum XMLElement: CaseIterable {
  case plist, dict, key, array, string, integer, real, `true`, `false`, date, data

  /// The name between the angle brackets.
  var name: StaticString {
    switch self {
    case .plist: "plist"
    case .dict: "dict"
    case .key: "key"
    case .array: "array"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .true: "true"
    case .false: "false"
    case .date: "date"
    case .data: "data"
    }
  }

  /// `true` if the element is a value.
  var isValue: Bool { self != .plist && self != .key }

  /// Returns the elements whose name begins with a letter.
  static func named(from letter: UInt8) -> [XMLElement] { byLetter[Int(letter)] }

  private static let byLetter: [[XMLElement]] = (0..<256).map { letter in
    allCases.filter { $0.name.utf8Start[0] == UInt8(letter) }
  }
}
