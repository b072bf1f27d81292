/// A place in a text at which an app puts a value.
package struct Placeholder: Hashable, Sendable {
  /// The placeholder as it is written, such as `%{name}` or `%1$@`.
  package let spelling: String
  /// The bytes that identify the value: a name in its braces, or an argument's number and type.
  let key: [UInt8]
  /// `true` if the value is a whole number.
  let isInteger: Bool

  /// A placeholder with a name, which is spelled with its braces.
  init(named spelling: [UInt8]) {
    self.spelling = String(decoding: spelling, as: UTF8.self)
    (key, isInteger) = (spelling, false)
  }

  /// A placeholder for an argument, which is counted from 1.
  init(argument number: Int, _ type: ArgumentType, spelled spelling: [UInt8]) {
    self.spelling = String(decoding: spelling, as: UTF8.self)
    key = Array("\(number)$".utf8) + type.length + [type.conversion]
    isInteger = [UInt8(ascii: "d"), UInt8(ascii: "u")].contains(type.conversion)
  }

  /// The type of an argument of `printf`.
  struct ArgumentType: Hashable, Sendable {
    /// The modifier of the size, such as `ll`.
    var length: [UInt8]
    /// The letter of the conversion; one letter stands for all letters of the same type.
    var conversion: UInt8
  }

  /// The name in the braces; `nil` for an argument.
  package var name: String? {
    guard key.last == UInt8(ascii: "}") else { return nil }
    return String(decoding: key.drop { "%{".utf8.contains($0) }.dropLast(), as: UTF8.self)
  }

  /// The number of the argument, from 1; `nil` for a placeholder with a name.
  package var argument: Int? {
    name == nil ? Int(String(decoding: key.prefix(while: \.isDigit), as: UTF8.self)) : nil
  }

  package static func == (a: Placeholder, b: Placeholder) -> Bool { a.key == b.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// `true` for the name `count`, which apps and libraries give to the number of a plural.
  var isNamedCount: Bool {
    key.elementsEqual("%{count}".utf8) || key.elementsEqual("{count}".utf8)
  }
}
