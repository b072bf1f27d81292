import ContentModel

/// The numbers of releases and purges, which only rise.
package enum SerialNumber {
  /// The highest number, which readers with doubles as numbers can hold exactly.
  package static let highest = LimitedNumber.serials.upperBound

  /// Returns the number after another one.
  ///
  /// `what` names the counted thing, such as `release`, and `place` the file with the number.
  ///
  /// - Throws: `DeliveryError` if there is no higher number.
  package static func next(after number: Int, of what: String, at place: String)
    throws(DeliveryError) -> Int
  {
    guard (0..<highest).contains(number) else {
      throw unbelievable("\(number)", of: what, at: place)
    }
    return number + 1
  }

  /// Returns the refusal of a number that no channel can reach, and the remedy.
  package static func unbelievable(_ number: String, of what: String, at place: String)
    -> DeliveryError
  {
    DeliveryError(
      .refused,
      "\(place) has the \(what) \(number), which is not between 0 and \(highest): contentc did not write it; "
        + "put the file of a backup back, or correct the number ('contentc convert' makes the file readable)"
    )
  }
}
