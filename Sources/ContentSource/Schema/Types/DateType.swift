import ContentModel
import YAML

/// An instant.
enum DateType: ScalarType {
  static let name = "date"
  static let namesElsewhere = ["datetime", "time", "timestamp", "instant"]
  static let accepts = "an instant"
  static let readersGet = "a date"
  static let example = "2026-12-24T18:00 Europe/Paris"

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    do { return .value(.date(try InstantSyntax.parse(node.text))) } catch {
      throw Misfit(diagnostic: error.diagnostic(for: "'\(field.name)'", at: node))
    }
  }
}
