/// The header `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// The most seconds that are obeyed.
  package static let longest = 3600.0

  /// Returns the seconds to wait, at most an hour; `nil` for another text.
  package static func seconds(_ text: String, at now: Instant) -> Double? {
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
      return Int(text).map { min(Double($0), longest) } ?? longest
    }
    guard let date = HTTPDate.instant(text) else { return nil }
    return min(max(0, date.secondsSinceReferenceDate - now.secondsSinceReferenceDate), longest)
  }
}

/// Dates of HTTP in their preferred form: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads a date; `nil` for another text.
  package static func instant(_ text: String) -> Instant? {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
      let month = months.firstIndex(of: parts[2])
    else { return nil }
    let time = parts[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3,
      let civil = CivilTime(
        year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2])
    else { return nil }
    return Instant(secondsSince1970: Int64(civil.secondsSince1970))
  }
}
