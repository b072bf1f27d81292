extension PropertyListDecodingError {
  /// Why bytes cannot be read.
  public enum Reason: Hashable, Sendable {
    // Any format
    /// There is nothing to read.
    case empty
    /// The input stops inside a value.
    case endOfInput
    /// More than `PropertyList.depthLimit` containers stand inside one another.
    case tooDeep
    /// A dictionary has a key twice.
    case duplicateKey(String)
    /// A dictionary's key is something other than a string.
    case keyIsNotString
    /// An integer needs more than 64 bits.
    case integerOutOfRange
    /// A date is infinite or not a number, or not written as the format has it.
    case badDate

    // Binary
    /// The header is not `bplist00`.
    case badHeader
    /// The trailer contradicts itself or the file's size.
    case badTrailer
    /// An object, or its length, reaches outside the file.
    case outOfBounds
    /// A reference is to an object that the file does not have.
    case badReference
    /// A container contains itself.
    case cycle
    /// Objects lie over one another.
    case overlappingObjects
    /// Shared containers or strings unfold into far more than the file holds.
    case expansionTooLarge
    /// The object is a UID: keyed archives are no content.
    case uid
    /// The object's first byte is of no kind that content has.
    case unsupportedObject(UInt8)
    /// A string has a byte that is not ASCII, or UTF-16 that is not well formed.
    case badString

    // Text
    /// The text is not UTF-8.
    case invalidUTF8
    /// Something else should stand here.
    case expected(String)
    /// A character that may not stand here as it is.
    case forbiddenCharacter(Unicode.Scalar)
    /// An escape or entity that has no meaning.
    case badEscape
    /// A number that is not written as the format has it, or not finite.
    case badNumber
    /// Data that is not base64 or hexadecimal digits.
    case badData
    /// JSON's `null`, which property lists lack.
    case null
    /// The XML declaration names an encoding other than UTF-8.
    case unsupportedEncoding(String)
    /// The document type has declarations of its own.
    case internalSubset
    /// An element that property lists lack.
    case unknownElement(String)
  }
}

extension PropertyListDecodingError.Reason: CustomStringConvertible {
  /// The rule that was broken.
  public var description: String {
    switch self {
    case .empty: "the input is empty"
    case .endOfInput: "the input ends too early"
    case .tooDeep: "nesting is deeper than \(PropertyList.depthLimit) levels"
    case .duplicateKey(let key): "the key '\(key)' stands in its dictionary twice"
    case .keyIsNotString: "a dictionary's key must be a string"
    case .integerOutOfRange: "an integer must fit 64 bits, sign included"
    case .badDate: "a date must be a finite time, in text 'YYYY-MM-DDTHH:MM:SSZ'"
    case .invalidUTF8: "text must be UTF-8"
    case .expected(let what): "\(what) is expected here"
    case .forbiddenCharacter(let scalar): "the character \(scalar.codePoint) may not stand here"
    case .badEscape: "there is no such escape"
    case .badNumber: "this is not a finite number"
    case .badData: "data must be whole base64 or hexadecimal groups"
    case .null: "property lists have no null"
    case .unsupportedEncoding(let name): "the encoding must be UTF-8, not '\(name)'"
    case .internalSubset: "a document type may not have declarations of its own"
    case .unknownElement(let name): "property lists have no element '\(name)'"
    default: binaryDescription
    }
  }

  private var binaryDescription: String {
    switch self {
    case .badHeader: "the header must be 'bplist00'"
    case .badTrailer: "the trailer must describe this file"
    case .outOfBounds: "an object must lie inside the file"
    case .badReference: "a reference must be to an object of the file"
    case .cycle: "a container may not contain itself"
    case .overlappingObjects: "objects may not lie over one another"
    case .expansionTooLarge: "shared objects unfold into more than the file's size allows"
    case .uid: "this is a keyed archive: UIDs are no content"
    case .unsupportedObject(let marker):
      "objects of kind 0x\(String(marker, radix: 16)) are no content"
    case .badString: "a string must be ASCII or well-formed UTF-16"
    default: "the bytes are no property list"
    }
  }
}
