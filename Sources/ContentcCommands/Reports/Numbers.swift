extension Int {
  /// The number with commas, such as `12,345`.
  package var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// The number of bytes in a suitable unit: `812 B`, `3.4 kB`, `1.2 MB`.
  package var asByteCount: String {
    let units = ["kB", "MB", "GB"]
    guard self >= 1000 else { return "\(self) B" }
    var amount = Double(self) / 1000
    var unit = 0
    while amount >= 999.95, unit < units.count - 1 {
      amount /= 1000
      unit += 1
    }
    return "\(amount.rounded(toPlaces: 1)) \(units[unit])"
  }

  /// Returns the number with a noun, such as `1 bundle` or `12 bundles`.
  ///
  /// Without `plural`, the plural is the singular with an `s`.
  package func counted(_ singular: String, plural: String? = nil) -> String {
    "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Double {
  /// Returns the digits of a non-negative number with `places` decimal places, at most three.
  package func rounded(toPlaces places: Int) -> String {
    let scale = [1, 10, 100, 1000][places]
    let units = Int((self * Double(scale)).rounded())
    guard places > 0 else { return String(units) }
    let fraction = String(units % scale)
    return "\(units / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}

extension String {
  /// Returns the text after spaces that fill it up to a width.
  package func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  /// Returns the text before spaces that fill it up to a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
