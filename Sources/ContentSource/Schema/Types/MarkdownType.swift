import Markdown
import YAML

/// A text with headings, lists and links in CommonMark, which the compiler parses.
enum MarkdownType: FieldType {
  static let name = "markdown"
  static let namesElsewhere = ["richtext"]
  static let attributes: [FieldAttribute] = [
    FieldAttribute(
      keys: ["page": "true"], meaning: "also writes each text as a web page", showsValue: true),
    FieldAttribute(
      keys: ["tables": "true", "strikethrough": "true"],
      meaning: "`true` adds this syntax to CommonMark"),
    .lengths, .placeholders,
  ]
  static let accepts = "a [text with styles](#texts-with-styles)"
  static let readersGet = "a dictionary, see [output](output.md#markdown)"
  static let example = "Our **roses** come from fields nearby."
  static let isText = true

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    func flag(_ key: String) -> Bool {
      definition.reader.optional(key, must: "be true or false", as: \.flag) ?? false
    }
    var rules = Field.MarkdownRules()
    rules.options.tables = flag("tables")
    rules.options.strikethrough = flag("strikethrough")
    rules.hasPage = flag("page")
    return .markdown(rules)
  }
}
