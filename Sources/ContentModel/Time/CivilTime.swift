/// A date and time of day without a zone, in the proleptic Gregorian calendar.
public struct CivilTime: Hashable, Sendable {
  /// The year, from 1 to 9999.
  public var year: Int
  /// The month, from 1 to 12.
  public var month: Int
  /// The day, from 1 to the last of the month.
  public var day: Int
  /// The hour, from 0 to 23.
  public var hour: Int
  /// The minute, from 0 to 59.
  public var minute: Int
  /// The second, from 0 to 59.
  public var second: Int

  /// Creates a date and time; `nil` if the day (`2026-02-30`) or the time of day (`24:00`, a leap
  /// second) does not exist.
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
      (0...59).contains(minute), (0...59).contains(second), day >= 1,
      day <= CivilTime.days(in: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Creates the date and time in UTC at a Unix time.
  public init(secondsSince1970 seconds: Int64) {
    let days = Int(seconds.floored(by: 86_400))
    let time = Int(seconds) - days * 86_400
    // H. Hinnant, “chrono-Compatible Low-Level Date Algorithms”, `civil_from_days`.
    let shifted = days + 719_468
    let era = Int(Int64(shifted).floored(by: 146_097))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
  }

  /// The Unix time of this date and time in UTC.
  public var secondsSince1970: Int64 {
    let fromMarch = month > 2 ? month - 3 : month + 9
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Int(Int64(shiftedYear).floored(by: 400))
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension Int64 {
  fileprivate func floored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
