import ContentModel
import Diagnostics
import YAML

/// A length of time in whole seconds.
enum DurationType: ScalarType {
  static let name = "duration"
  static let namesElsewhere = ["timespan", "interval", "timeinterval"]
  static let attributes: [FieldAttribute] = [
    .range(["min": "1m", "max": "1h30m"], must: TimeSpan.rule) { node in
      node.scalarText.flatMap { TimeSpan($0) }.map { Double($0.seconds) }
    }
  ]
  static let accepts =
    "`1h30m`, in weeks, days, hours, minutes and seconds (`w`, `d`, `h`, `m`, `s`), up to 2³¹ - 1 s"
  static let readersGet = "an integer, the number of seconds"
  static let example = "1h30m"

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    guard let span = TimeSpan(node.text) else { throw node.noDuration(field) }
    return .value(.integer(Int64(span.seconds)))
  }

  static func written(_ limit: Double) -> String {
    TimeSpan(seconds: Int(limit))?.description ?? limit.short
  }
}

extension YAMLNode {
  /// Returns the error for a text that is no duration.
  fileprivate func noDuration(_ field: Field) -> Misfit {
    if DurationSlip.isTooLong(text) {
      return misfit(field, must: "be at most \(Int32.max)s, about 68 years", rule: .outOfRange)
    }
    let rest = String(text.dropFirst())
    if text.hasBytePrefix("-"), TimeSpan(rest) != nil || DurationSlip(rest) != nil {
      return misfit(field, must: "not be negative", rule: .outOfRange)
    }
    guard let slip = DurationSlip(text) else {
      let isFraction = text.contains(".") && text.last?.isLetter == true
      return misfit(
        field,
        must: isFraction
          ? "be in whole seconds, such as 30s, 10m or 1d"
          : "\(TimeSpan.rule); \(DurationSlip.units)")
    }
    let isClear = TimeSpan(slip.replacement) != nil
    return misfit(
      field, must: "\(TimeSpan.rule); write \(slip.replacement)",
      fix: isClear ? slip.replacement : nil)
  }
}
