import ContentClient
import Foundation

/// A store with its opening hours by weekday.
struct Store: Decodable, Sendable {
  let title: String
  let city: String
  let address: String
  let timeZone: String
  let hours: [String: [String]]?

  private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// Returns the closing time of today, as `19:00`, if the store is open at an instant; `nil` if it
  /// is closed, or its hours are unknown.
  func closingTime(at now: Instant) -> String? {
    var calendar = Calendar(identifier: .gregorian)
    guard let zone = TimeZone(identifier: timeZone) else { return nil }
    calendar.timeZone = zone
    let date = Date(timeIntervalSinceReferenceDate: now.secondsSinceReferenceDate)
    let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
    guard let weekday = parts.weekday, let hour = parts.hour, let minute = parts.minute else {
      return nil
    }
    let time = Self.twoDigits(hour) + ":" + Self.twoDigits(minute)
    for span in hours?[Self.days[weekday - 1]] ?? [] {
      let ends = span.split(separator: "-")
      if ends.count == 2, ends[0] <= time, time < ends[1] { return String(ends[1]) }
    }
    return nil
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension Page {
  /// Lists the stores by city, with their hours at an instant.
  init(storesAt now: Instant, for reader: ScreenReader) {
    self.init(title: reader.snapshot.entry("settings/app")?["tagline"]?.text ?? "")
    let stores = reader.snapshot.entries(Store.self, in: "city-stores", sort: [.ascending("city")])
    for store in stores {
      let hours = store.closingTime(at: now).map { reader.text("stores.open_until", ["time": $0]) }
      lines.append(
        Line(
          "\(store.city): \(store.title)", detail: hours ?? reader.text("stores.closed"),
          style: .headline))
      let address = store.address.split(separator: "\n").joined(separator: ", ")
      lines.append(Line(address, style: .footnote))
    }
  }
}
