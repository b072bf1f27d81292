extension PropertyListDecodingError {
  /// The rule that the bytes break.
  public enum Reason: Hashable, Sendable {
    // Any format
    /// The input has no bytes, or only white space.
    case empty
    /// The input ends inside a value.
    case endOfInput
    /// More than ``PropertyList/depthLimit`` containers are nested.
    case tooDeep
    /// The file has more values than the caller allows, or a container has more than
    /// ``PropertyList/valueLimit``.
    case tooManyValues
    /// A key occurs twice in a dictionary.
    case duplicateKey(String)
    /// A dictionary's key is no string.
    case keyIsNotString
    /// An integer needs more than 64 bits.
    case integerOutOfRange
    /// A date is infinite or not a number, or does not have the format's form.
    case badDate

    // Binary
    /// The header is not `bplist00`.
    case badHeader
    /// The trailer contradicts itself or the file's size.
    case badTrailer
    /// An object extends past the objects of the file.
    case outOfBounds
    /// A reference is to an object that the file lacks.
    case badReference
    /// A container contains itself.
    case cycle
    /// Objects overlap.
    case overlappingObjects
    /// Shared containers or strings unfold into far more than the file holds.
    case expansionTooLarge
    /// The object is a UID, which only keyed archives have.
    case uid
    /// The object's first byte, which is the associated value, is of no supported kind.
    case unsupportedObject(UInt8)
    /// An ASCII string has other bytes, or a UTF-16 string is not well formed.
    case badString

    // Text
    /// The text is not UTF-8.
    case invalidUTF8
    /// The syntax requires something else, which the associated value describes.
    case expected(String)
    /// The format does not allow the character here.
    case forbiddenCharacter(Unicode.Scalar)
    /// The format has no such escape or entity.
    case badEscape
    /// A number is not finite, or does not have the format's form.
    case badNumber
    /// Data is not base64 or hexadecimal digits.
    case badData
    /// JSON's `null`, which property lists lack.
    case null
    /// The XML declaration names an encoding other than UTF-8.
    case unsupportedEncoding(String)
    /// The XML document type has an internal subset, which could declare entities.
    case internalSubset
    /// Property lists have no such element.
    case unknownElement(String)
    /// An element has an attribute twice.
    case duplicateAttribute(String)
    /// Something precedes the XML declaration.
    case misplacedDeclaration
    /// An XML comment contains two hyphens.
    case badComment
    /// An integer in XML has another form than a sign and decimal digits.
    case notDecimal
  }
}

extension PropertyListDecodingError.Reason: CustomStringConvertible {
  /// The rule as a clause, such as “property lists have no null”.
  public var description: String {
    switch self {
    case .empty: "the input is empty"
    case .endOfInput: "the input ends too early"
    case .tooDeep: "nesting is deeper than \(PropertyList.depthLimit) levels"
    case .tooManyValues: "there are more values than a reader accepts"
    case .duplicateKey(let key): "the key '\(key)' occurs twice in its dictionary"
    case .keyIsNotString: "a dictionary's key must be a string"
    case .integerOutOfRange: "an integer must fit 64 bits, sign included"
    case .badDate: "a date must be a finite time, in text 'YYYY-MM-DDTHH:MM:SSZ'"
    case .invalidUTF8: "text must be UTF-8"
    case .expected(let what): "\(what) is expected here"
    case .forbiddenCharacter(let scalar): "the character \(scalar.codePoint) is not allowed here"
    case .badEscape: "there is no such escape"
    case .badNumber: "this is not a finite number"
    case .badData: "data must be whole base64 or hexadecimal groups"
    case .null: "property lists have no null"
    default: xmlDescription ?? binaryDescription
    }
  }

  private var xmlDescription: String? {
    switch self {
    case .unsupportedEncoding(let name): "the encoding must be UTF-8, not '\(name)'"
    case .internalSubset: "a document type must not have declarations"
    case .unknownElement(let name): "property lists have no element '\(name)'"
    case .duplicateAttribute(let name): "the attribute '\(name)' occurs twice"
    case .misplacedDeclaration: "'<?xml' must be the beginning of the text"
    case .badComment: "a comment must not contain '--'"
    case .notDecimal: "an integer must have a sign and decimal digits only"
    default: nil
    }
  }

  private var binaryDescription: String {
    switch self {
    case .badHeader: "the header must be 'bplist00'"
    case .badTrailer: "the trailer must describe this file"
    case .outOfBounds: "an object must be inside the file"
    case .badReference: "a reference must be to an object of the file"
    case .cycle: "a container must not contain itself"
    case .overlappingObjects: "objects must not overlap"
    case .expansionTooLarge: "shared objects unfold into more than the file's size allows"
    case .uid: "the file is a keyed archive, whose UIDs are not supported"
    case .unsupportedObject(let marker):
      "objects of kind 0x\(String(marker, radix: 16)) are not supported"
    case .badString: "a string must be ASCII or well-formed UTF-16"
    default: "the bytes are no property list"
    }
  }
}
