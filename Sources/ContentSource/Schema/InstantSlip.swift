import ContentModel
import Diagnostics

/// The instant that a person meant by a text, if it can be guessed.
struct InstantSlip {
  /// The end of a message: the rule, and the text to type.
  let rule: String
  let replacement: String?
  /// `true` if the text is a day without a time.
  private(set) var isDay = false

  init?(_ text: String) {
    let parts = text.split { $0 == "T" || $0 == "t" || $0 == " " }.map(String.init)
    guard let first = parts.first else { return nil }
    if let year = Self.year(ofDayInWords: text) {
      self.init(rule: Self.order(example: "\(year)-12-24T00:00 Europe/Paris"), replacement: nil)
      isDay = true
      return
    }
    guard let date = InstantSyntax.numbers(first[...], separator: "-", lengths: [4, 2, 2]) else {
      self.init(otherDate: first)
      isDay = parts.count == 1
      return
    }
    guard let day = Self.problem(ofDay: date) else {
      self.init(date: first, rest: Array(parts.dropFirst()))
      isDay = parts.count == 1
      return
    }
    self.init(rule: day, replacement: nil)
  }

  private init(rule: String, replacement: String?) {
    (self.rule, self.replacement) = (rule, replacement)
  }

  private static func order(example: String) -> String {
    "be year, month, day, time and zone, such as \(example)"
  }

  /// Returns the year of a day whose month is a word, such as `24. Dezember 2026` or `Dec 24, 2026`.
  private static func year(ofDayInWords text: String) -> String? {
    let words = text.split { $0 == " " || $0 == "." || $0 == "," }
    let numbers = words.filter { $0.utf8.allSatisfy(\.isDigit) }
    guard words.count == 3, numbers.count == 2,
      words.contains(where: { $0.allSatisfy(\.isLetter) }),
      numbers.contains(where: { $0.utf8.count <= 2 })
    else { return nil }
    return numbers.first { $0.utf8.count == 4 }.map(String.init)
  }

  /// A date in another order than content has: `24.12.2026` or `12/24/2026`.
  ///
  /// Of `3/4/2026`, the author knows which is the month.
  private init?(otherDate text: String) {
    let parts = text.split { $0 == "." || $0 == "/" || $0 == "-" }
    guard parts.count == 3, parts[2].utf8.count == 4,
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
      let first = Int(parts[0]), let second = Int(parts[1])
    else { return nil }
    let isClear = first == second || text.utf8.contains(UInt8(ascii: "."))
    let days = [(day: first, month: second)] + (isClear ? [] : [(day: second, month: first)])
    let dates = days.filter { (1...12).contains($0.month) && (1...31).contains($0.day) }.map {
      "\(parts[2])-\($0.month.twoDigits)-\($0.day.twoDigits)T00:00 Europe/Paris"
    }
    guard !dates.isEmpty else { return nil }
    let example = dates.joined(separator: " or ")
    self.init(rule: Self.order(example: example), replacement: nil)
  }

  private init?(date: String, rest: [String]) {
    guard let time = rest.first else {
      let written = "\(date)T00:00 Europe/Paris"
      self.init(rule: "have a time and a zone, such as \(written)", replacement: nil)
      return
    }
    let clock = time.prefix { $0.isNumber || $0 == ":" }
    let numbers =
      InstantSyntax.numbers(clock, separator: ":", lengths: [2, 2])
      ?? InstantSyntax.numbers(clock, separator: ":", lengths: [2, 2, 2])
    guard let numbers else { return nil }
    guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
      self.init(rule: "have a time from 00:00 to 23:59", replacement: nil)
      return
    }
    let zone = rest.dropFirst()
    if zone.isEmpty, clock.count == time.count {
      self.init(rule: "have a zone, such as \(date)T\(time) Europe/Paris", replacement: nil)
      return
    }
    // RFC 3339 has seconds before an offset.
    let offset = time.dropFirst(clock.count)
    let needsSeconds = zone.isEmpty && numbers.count == 2
    let full = needsSeconds ? "\(clock):00\(offset.uppercased())" : time
    let written =
      zone.isEmpty ? "\(date)T\(full)" : "\(date)T\(full) \(zone.joined(separator: " "))"
    guard (try? InstantSyntax.parse(written)) != nil else { return nil }
    let rule = needsSeconds ? "have seconds before its offset" : "have a 'T' before its time"
    self.init(rule: "\(rule); write \(written)", replacement: written)
  }

  private static func problem(ofDay date: [Int]) -> String? {
    guard (1...12).contains(date[1]) else { return "have a month from 01 to 12" }
    let days = (28...31).last { day in
      CivilTime(year: max(1, date[0]), month: date[1], day: day, hour: 0, minute: 0, second: 0)
        != nil
    }
    guard let days, date[2] > days || date[2] == 0 else { return nil }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November",
      "December",
    ]
    return "be a day that exists; \(months[date[1] - 1]) \(date[0]) has \(days) days"
  }
}

extension InstantSyntax {
  /// Returns the rule that a text breaks which is meant as an instant, as a clause after "must";
  /// `nil` if it cannot be guessed.
  package static func brokenRule(_ text: String) -> String? { InstantSlip(text)?.rule }
}

extension CivilTime {
  /// Date, hour and minute.
  var minutes: String {
    let digits = String(year)
    let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return "\(padded)-\(month.twoDigits)-\(day.twoDigits)T\(hour.twoDigits):\(minute.twoDigits)"
  }
}

extension Int {
  var twoDigits: String { self < 10 ? "0\(self)" : String(self) }
}

extension Int64 {
  /// The seconds as an offset of RFC 3339.
  var asOffset: String {
    let minutes = Int(magnitude) / 60
    return (self < 0 ? "-" : "+") + (minutes / 60).twoDigits + ":" + (minutes % 60).twoDigits
  }
}
