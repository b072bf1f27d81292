import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics

/// What programs ask, the page first of all: everything below `/api/` that is one JSON object.
struct Interface: Sendable {
  let source: PreviewSource
  let content: PreviewContent
  let facts: ConfigFacts
  let buildSizes: BuildSizes

  /// The answer under a name.
  func answer(_ name: String, _ question: Question) throws(Refusal) -> Answer {
    switch name {
    case "state":
      _ = try question.parameters([])
      return .json(StatePage(state: content.state, source: source, facts: facts).value)
    case "explain": return .json(.dictionary(try explanation(question)))
    case "fallbacks": return .json(try fallbacks(question))
    case "coverage": return .json(try coverage(question))
    case "schedule":
      _ = try question.parameters([])
      let (generation, tree) = try content.tree()
      return .json(SchedulePage(generation: generation, now: source.now(), moments: schedule(of: tree)).value)
    case "sizes": return .json(.dictionary(try sizes(question)))
    default: throw .nothingHere
    }
  }

  private func explanation(_ question: Question) throws(Refusal) -> Members {
    let asked = try question.parameters(["locale", "device"], required: ["entry"])
    let (_, tree, context) = try content.context(asked["locale"], asked["device"])
    let text = asked["entry"] ?? ""
    let id = text == EntryID.maintenance.text ? .maintenance : EntryID(text)
    guard let explanation = id.flatMap({ explain($0, in: tree, context: context) }) else {
      throw Refusal(unknown: "entry", text, known: tree.entries.map(\.id.text), .notFound)
    }
    return source.explanation(explanation)
  }

  private func fallbacks(_ question: Question) throws(Refusal) -> Value {
    let asked = try question.parameters(["locale", "device"])
    let (generation, tree, context) = try content.context(asked["locale"], asked["device"])
    let entries = borrowedTexts(in: tree, context: context).map { entry in
      (entry.id.text, Value.dictionary(Members(entry.texts.map { ($0.path, .string($0.locale.identifier)) })))
    }
    return ["generation": .integer(Int64(generation)), "entries": .dictionary(Members(entries))]
  }

  private func sizes(_ question: Question) throws(Refusal) -> Members {
    let asked = try question.parameters(["a", "b"])
    let sizes = buildSizes.read()
    let page = SizesPage(generation: content.state.generation, contexts: sizes.contexts, largest: sizes.largest)
    switch (asked["a"], asked["b"]) {
    case (let a?, let b?): return try page.members(sharing: a, with: b)
    case (nil, nil): return page.members
    default: throw Refusal(.badRequest, "'a' and 'b' must both be there, such as a=fr-CA/ipad&b=en/phone")
    }
  }

  private func coverage(_ question: Question) throws(Refusal) -> Value {
    let asked = try question.parameters(["locale", "datatype"])
    let (generation, tree) = try content.tree()
    do throws(CoverageScope.UnknownName) {
      let scope = try CoverageScope(locale: asked["locale"], datatype: asked["datatype"], in: tree)
      var members = ContentCompiler.coverage(of: tree, scope).members(scope)
      members["generation"] = .integer(Int64(generation))
      // As the command tells of itself.
      (members["ok"], members["errors"], members["warnings"]) = (true, 0, 0)
      return .dictionary(members)
    } catch {
      throw Refusal(unknown: error.noun, error.name, known: error.known, .badRequest)
    }
  }
}

extension Refusal {
  /// A word that names nothing, with the nearest that does.
  init(unknown noun: String, _ word: String, known: [String], _ status: Answer.Status) {
    let nearest = word.nearest(among: known).map { "; did you mean '\($0)'?" } ?? ""
    self.init(status, "unknown \(noun) '\(word)'\(nearest)")
  }
}
