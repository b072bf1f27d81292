import ContentModel
import Foundation
import PropertyLists

extension ValueDecoder {
  /// The decoder of entries, which also makes the types of Foundation that have an encoding of
  /// their own.
  static let ofEntries: ValueDecoder = {
    var decoder = ValueDecoder()
    decoder.make(URL.self) { value in value.text.flatMap { URL(string: $0) } }
    decoder.make(Decimal.self) { value in
      // The shortest text of a real is the number that its author wrote.
      switch value {
      case .integer(let number): Decimal(number)
      case .real(let number): number.isFinite ? Decimal(string: "\(number)") : nil
      case .string(let text): value.real == nil ? nil : Decimal(string: text)
      default: nil
      }
    }
    return decoder
  }()
}
