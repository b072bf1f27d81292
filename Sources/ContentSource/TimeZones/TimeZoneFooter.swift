import ContentModel

/// The offsets of a time zone after its last transition, by the same rule every year: the footer of
/// a TZif file.
///
/// The footer has the form of the variable `TZ` in POSIX, such as `CET-1CEST,M3.5.0,M10.5.0/3`,
/// whose offsets are those from local time to UTC. The times of its rules can be from -167 to 167
/// hours (RFC 9636, section 3.3.1). What it calls daylight-saving time can be earlier than
/// standard time, as in Dublin.
struct TimeZoneFooter: Hashable {
  /// Standard time minus UTC in seconds.
  private let standard: Int64
  private let daylight: Daylight?

  private struct Daylight: Hashable {
    /// Daylight-saving time minus UTC in seconds.
    let offset: Int64
    /// The local standard time at which daylight-saving time begins.
    let start: Change
    /// The daylight-saving time at which standard time begins.
    let end: Change
  }

  /// Reads a footer; `nil` if it has another form, or is empty.
  init?(_ text: UnsafeRawBufferPointer) {
    var parser = Parser(text)
    guard parser.skipAbbreviation(), let west = parser.duration(hours: 24) else { return nil }
    standard = -west
    guard !parser.isAtEnd else {
      daylight = nil
      return
    }
    guard parser.skipAbbreviation() else { return nil }
    let daylightWest = parser.next == UInt8(ascii: ",") ? west - 3_600 : parser.duration(hours: 24)
    guard let daylightWest, let start = parser.change(), let end = parser.change(), parser.isAtEnd
    else { return nil }
    daylight = Daylight(offset: -daylightWest, start: start, end: end)
  }

  /// Returns the difference between local time and UTC at a moment, in seconds.
  func offset(at secondsSince1970: Int64) -> Int64 {
    guard let daylight else { return standard }
    // RFC 9636 has no earlier or later moments, and calculations do not overflow with them.
    let moment = max(-1 << 59, min(secondsSince1970, 1 << 59))
    let date = CivilTime(secondsSince1970: moment)
    let (start, end) = changes(to: daylight, in: date.year)
    // A change of another year is at most 167 hours and an offset away from that year.
    guard date.month == 1 || date.month == 12 else {
      if start < end { return moment >= start && moment < end ? daylight.offset : standard }
      return moment >= end && moment < start ? standard : daylight.offset
    }
    return offset(at: moment, nearNewYearOf: date.year, daylight)
  }

  /// Returns the offset after the latest change of a year and its neighbours.
  private func offset(at moment: Int64, nearNewYearOf year: Int, _ daylight: Daylight) -> Int64 {
    var latest = Int64.min
    var offset = standard
    for year in year - 1...year + 1 {
      let (start, end) = changes(to: daylight, in: year)
      let isOrdered = start < end
      // If one year's daylight-saving time ends when that of the next one begins, the later year
      // decides.
      for isStart in [isOrdered, !isOrdered] {
        let change = isStart ? start : end
        guard change <= moment, change >= latest else { continue }
        (latest, offset) = (change, isStart ? daylight.offset : standard)
      }
    }
    return offset
  }

  /// Returns the moments at which a year's daylight-saving time begins and ends, in this order;
  /// none without daylight-saving time.
  func changes(in year: Int) -> [Int64] {
    daylight.map { changes(to: $0, in: year) }.map { [$0.start, $0.end] } ?? []
  }

  private func changes(to daylight: Daylight, in year: Int) -> (start: Int64, end: Int64) {
    (
      daylight.start.secondsSince1970(in: year) - standard,
      daylight.end.secondsSince1970(in: year) - daylight.offset
    )
  }

  /// A local time that every year has once.
  private struct Change: Hashable {
    enum Day: Hashable {
      /// A day from 1 to 365; February 29 is not counted.
      case ofCommonYear(Int64)
      /// A day from 0 to 365; February 29 is counted.
      case ofYear(Int64)
      /// The first to fourth weekday of a month, or its last one (5); Sunday is 0.
      case ofMonth(month: Int, week: Int64, weekday: Int64)
    }

    let day: Day
    /// The seconds after the midnight at which the day begins.
    let time: Int64

    /// Returns the local time in seconds, as if it were UTC.
    func secondsSince1970(in year: Int) -> Int64 {
      switch day {
      case .ofCommonYear(let day):
        let hasLeapDay = Self.midnight(year, month: 3) - Self.midnight(year, month: 2) > 28 * 86_400
        let leapDay: Int64 = hasLeapDay && day >= 60 ? 1 : 0
        return Self.midnight(year, month: 1) + (day - 1 + leapDay) * 86_400 + time
      case .ofYear(let day): return Self.midnight(year, month: 1) + day * 86_400 + time
      case .ofMonth(let month, let week, let weekday):
        let first = Self.midnight(year, month: month)
        // 1970-01-01 was a Thursday.
        let firstWeekday = (first / 86_400 % 7 + 11) % 7
        var start = first + ((weekday - firstWeekday + 7) % 7 + (week - 1) * 7) * 86_400
        if week == 5, start >= Self.midnight(month == 12 ? year + 1 : year, month: month % 12 + 1) {
          start -= 7 * 86_400
        }
        return start + time
      }
    }

    private static func midnight(_ year: Int, month: Int) -> Int64 {
      var day = CivilTime(secondsSince1970: 0)
      (day.year, day.month) = (year, month)
      return day.secondsSince1970
    }
  }

  private struct Parser {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    var isAtEnd: Bool { index == bytes.count }

    /// Skips an abbreviation such as `CET` or `<-03>`; returns `false` if there is none.
    mutating func skipAbbreviation() -> Bool {
      let start = index
      if skip("<") {
        while let byte = next, byte != UInt8(ascii: ">") { index += 1 }
        return skip(">")
      }
      while let byte = next, byte.isLetter { index += 1 }
      return index > start
    }

    /// Reads `[+-]hh[:mm[:ss]]` as seconds.
    mutating func duration(hours limit: Int64) -> Int64? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard var seconds = number(0...limit).map({ $0 * 3_600 }) else { return nil }
      for unit: Int64 in [60, 1] where skip(":") {
        guard let number = number(0...59) else { return nil }
        seconds += number * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads a comma, a day and its time; without a time, it is 02:00.
    mutating func change() -> Change? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Change(day: day, time: 7_200) }
      return duration(hours: 167).map { Change(day: day, time: $0) }
    }

    private mutating func day() -> Change.Day? {
      if skip("J") { return number(1...365).map(Change.Day.ofCommonYear) }
      guard skip("M") else { return number(0...365).map(Change.Day.ofYear) }
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
        let weekday = number(0...6)
      else { return nil }
      return .ofMonth(month: Int(month), week: week, weekday: weekday)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
      let start = index
      var number: Int64 = 0
      while let byte = next, byte.isDigit, index < start + 3 {
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        index += 1
      }
      return index > start && range.contains(number) ? number : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }
  }
}
