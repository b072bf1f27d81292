import ContentModel
import Diagnostics
import YAML

/// An instant.
enum DateType: ScalarType {
  static let name = "date"
  static let namesElsewhere = ["datetime", "time", "timestamp", "instant"]
  static let accepts =
    "an [instant](#yaml); a day without a time is [a `string`](#days-times-of-day-prices)"
  static let readersGet = "a date"
  static let example = "2026-12-24T18:00 Europe/Paris"

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    do { return .value(.date(try InstantSyntax.parse(node.text))) } catch {
      var diagnostic = error.diagnostic(for: "'\(field.name)'", at: node)
      if InstantSlip(node.text)?.isDay == true {
        diagnostic.notes.append(
          Diagnostic.Note(
            "a day without a time, which no time zone shifts, is {type: string, pattern: '\\d{4}-\\d{2}-\\d{2}'} in the datatype"
          ))
      }
      throw Misfit(diagnostic: diagnostic)
    }
  }
}
