// Numbers as a person reads them.
extension Int {
  /// With commas: `12,345`.
  var grouped: String {
    var digits = String(magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// A count of bytes in the unit that fits: `812 B`, `3.4 kB`, `1.2 MB`.
  var asByteCount: String {
    let units = ["kB", "MB", "GB"]
    guard self >= 1000 else { return "\(self) B" }
    var amount = Double(self) / 1000
    var unit = 0
    while amount >= 999.95, unit < units.count - 1 { (amount, unit) = (amount / 1000, unit + 1) }
    return "\(amount.rounded(toPlaces: 1)) \(units[unit])"
  }

  /// A count and its noun: `1 bundle`, `12 bundles`.
  func of(_ singular: String, plural: String? = nil) -> String {
    "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Double {
  /// With a fixed count of decimal places, at most three.
  func rounded(toPlaces places: Int) -> String {
    let scale = [1, 10, 100, 1000][places]
    let units = Int((self * Double(scale)).rounded())
    guard places > 0 else { return String(units) }
    let fraction = String(units % scale)
    return "\(units / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}

extension String {
  /// Filled up with spaces on the right.
  func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
