import ContentClient

extension Page {
  /// Lays a step of a flow out: its elements, choices and form, and the ways on and back.
  init(step: Entry, for reader: ScreenReader) throws {
    try self.init(screen: step, for: reader)
    if let progress = step["progress"]?.number {
      let marks = (1...3).map { $0 <= progress ? "●" : "○" }
      lines.insert(Line(marks.joined(separator: " "), style: .footnote), at: 0)
    }
    lines += step.references("choices").map { reader.line(to: $0) }
    if let form = step.reference("form") { lines += Self.inputs(of: form) }
    lines.append(.space)
    for way in ["continue", "cancel"] {
      guard let title = step[FieldPath("\(way)Title")]?.text,
        let place = step[FieldPath("\(way)URL")]?.text.flatMap({ Place(action: $0) })
      else { continue }
      lines.append(Line(title, style: .button, link: .place(place)))
    }
  }

  /// The inputs of a form; content chooses them by the reader's country.
  private static func inputs(of form: Entry) -> [Line] {
    [Line(form["title"]?.text ?? "", style: .headline)]
      + (form["inputs"]?.items ?? []).map { input in
        Line(
          "\(input["label"]?.text ?? ""): ______",
          detail: input["placeholder"]?.text ?? (input["optional"]?.flag == true ? "…" : ""))
      }
  }
}
