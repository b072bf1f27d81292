import ContentModel

extension Instant {
  /// As fields of HTTP write it (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
  var httpDate: String {
    // `1994-11-06T08:49:37Z`
    let parts = rfc3339.split { "-T:Z.".contains($0) }
    guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else { return "" }
    guard hasRFC3339 else { return "" }
    let days = Int((secondsSinceReferenceDate / 86_400).rounded(.down))
    // The first of them, 2001-01-01, was a Monday.
    let weekday = Self.weekdays[((days % 7) + 7) % 7]
    return
      "\(weekday), \(parts[2]) \(Self.months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
