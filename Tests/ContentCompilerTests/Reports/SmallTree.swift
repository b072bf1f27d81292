import ContentSource
import Diagnostics
import Testing

/// Reads a small project, whose entries have one open datatype.
///
/// `files` has texts by path, or by the name of an entry of that datatype, such as `a.fr`.
func smallTree(_ files: [String: String]) throws -> ContentTree {
  var texts = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr]
    devices: {phone: {}}
    bundles: {all: {include: "**"}}
    """,
    "datatypes/item.yaml": "open: true",
  ]
  for (name, text) in files {
    texts[name.hasSuffix("ml") ? name : "entries/item/\(name).yaml"] = text
  }
  let read = ContentReader.read(ContentFolder(texts: texts))
  #expect(!read.hasErrors, "\(read.diagnostics)")
  return try #require(read.output)
}
