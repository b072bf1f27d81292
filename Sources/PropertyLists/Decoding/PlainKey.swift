/// The key of an item, or of a superclass's part.
enum PlainKey: CodingKey {
  case index(Int)
  case `super`
  case name(String)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .index(intValue) }

  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .super: "super"
    case .name(let name): name
    }
  }

  var intValue: Int? { if case .index(let index) = self { index } else { nil } }
}
