import ContentModel
import Diagnostics
import XML

/// A reader of XLIFF 1.2.
///
/// The texts of units keep their white space, with or without `xml:space`.
struct XLIFFReader: XMLHandler {
  /// The meaning of an open element.
  private enum Element {
    case xliff
    case file
    /// An element that can contain units, such as `<body>` and `<group>`.
    case container
    case unit
    case source
    case target
    case note
    /// A group of contexts.
    case contexts
    case context
    /// An element inside a source or target, such as `<mrk>`, whose text is part of the unit's
    /// text.
    case marker
    /// An element that is left out with its content.
    case skipped
  }

  /// A unit that is not yet complete.
  private struct OpenUnit {
    var id: String
    var place: SourceLocation
    /// The offset of the start tag.
    var offset: Int
    var source: String?
    var target: String?
    var targetPlace: SourceLocation?
    var state: TranslationUnit.State?
    var isApproved: Bool
    var notes: [String] = []
    var maximumLength: Int?
    var whereUsed: [String] = []
    /// `false` if a mistake in the unit was reported.
    var isValid = true
  }

  private var input: TextInput
  private var collection: TranslationCollection
  private var open: [Element] = []
  /// The locale of the current file; `nil` if the file is left out.
  private var locale: LocaleTag?
  private var unit: OpenUnit?
  private var text: [UInt8] = []
  /// The mistake that ends the reading.
  private var refusal: Diagnostic?

  /// The greatest depth of elements.
  private static let depthLimit = 64
  private static let namespace = "urn:oasis:names:tc:xliff:document:1.2"
  /// Elements of XLIFF inside a text, which stand for formatting.
  private static let inline = ["g", "x", "bx", "ex", "bpt", "ept", "ph", "it", "sub"]

  static func read(_ input: TextInput, locales: TranslationLocales)
    -> Diagnosed<[TranslationFile]>
  {
    // A unit that is not well-formed is replaced by spaces, and the others are read.
    var (rest, damaged): (TextInput, [Damage]) = (input, [])
    while true {
      var collection = TranslationCollection(.xliff, locales: locales)
      for damage in damaged { collection.reportDamage(damage.diagnostic, of: damage.id) }
      let reader = XLIFFReader(input: rest, collection: collection)
      let (result, problem) = XMLParsing.parse(
        rest.bytes, depthLimit: depthLimit, handler: reader)
      let diagnostic = problem.map { Self.diagnostic(of: $0, in: &rest) }
      guard let diagnostic = result.refusal ?? diagnostic else {
        return result.collection.finished(path: input.path)
      }
      let mistake = problem.flatMap { $0.isMalformed ? $0.bytes.lowerBound : nil }
      guard let mistake, damaged.count < input.mostDamagedUnits,
        let unit = XLIFFUnitRange(around: mistake, openedAt: result.unit?.offset, in: rest.bytes)
      else {
        // Further mistakes may follow from the first one.
        let first = damaged.first?.diagnostic ?? diagnostic
        let others = damaged.isEmpty ? result.collection.diagnostics : []
        return Diagnosed([], diagnostics: others + [first])
      }
      damaged.append(Damage(diagnostic: diagnostic, id: result.unit?.id))
      rest.blank(unit.range)
    }
  }

  /// A mistake in the XML of a unit, and the unit's id if it is known.
  private struct Damage {
    var diagnostic: Diagnostic
    var id: String?
  }

  private static func diagnostic(of problem: XMLProblem, in input: inout TextInput) -> Diagnostic {
    let place = input.location(problem.bytes)
    return TranslationProblem(problem.rule, at: place, advice: problem.advice).diagnostic
  }

  private init(input: TextInput, collection: TranslationCollection) {
    (self.input, self.collection) = (input, collection)
  }

  // MARK: Elements

  mutating func begin(_ tag: XMLStartTag) -> Bool {
    let isOurs = tag.namespace == Self.namespace
    let place = input.location(tag.bytes)
    switch open.last {
    case nil: beginRoot(tag, at: place)
    case .skipped, .note, .context: open.append(.skipped)
    case _ where !isOurs: open.append(.skipped)
    case .xliff: beginFile(tag, at: place)
    case .file: open.append(tag.name == "body" ? .container : .skipped)
    case .container: beginContained(tag, at: place)
    case .unit: beginPart(tag, at: place)
    case .contexts: beginContext(tag)
    case .source, .target, .marker: beginInline(tag, at: place)
    }
    return refusal == nil
  }

  private mutating func beginRoot(_ tag: XMLStartTag, at place: SourceLocation) {
    guard tag.name == "xliff" else {
      return refuse(
        "the first element must be <xliff>, not <\(tag.name.shortened)>", at: place,
        advice: "export the texts as XLIFF 1.2")
    }
    let version = tag.attribute("version") ?? ""
    guard version == "1.2", tag.namespace == Self.namespace else {
      let version = version.isEmpty ? "no version" : "version \(version.shortened)"
      return refuse(
        "the file must be XLIFF 1.2 in the namespace '\(Self.namespace)'; it has \(version)",
        at: place, advice: "export it as XLIFF 1.2")
    }
    open.append(.xliff)
  }

  private mutating func refuse(_ message: String, at place: SourceLocation, advice: String) {
    refusal = TranslationProblem(message, at: place, advice: advice).diagnostic
  }

  private mutating func beginFile(_ tag: XMLStartTag, at place: SourceLocation) {
    locale = nil
    guard tag.name == "file" else { return open.append(.skipped) }
    open.append(.skipped)
    guard let source = tag.attribute("source-language") else {
      return collection.report("<file> must have 'source-language'", of: nil, at: place)
    }
    guard let target = tag.attribute("target-language") else {
      return collection.report("<file> must have 'target-language'", of: nil, at: place)
    }
    guard collection.checkSource(source, at: place) else { return }
    locale = collection.open(target, at: place)
    if locale != nil { open[open.count - 1] = .file }
  }

  private mutating func beginContained(_ tag: XMLStartTag, at place: SourceLocation) {
    switch tag.name {
    // Tools mark texts that are not for translators.
    case _ where tag.attribute("translate") == "no": open.append(.skipped)
    case "group": open.append(.container)
    case "trans-unit":
      guard let id = tag.attribute("id"), !id.isEmpty else {
        collection.report("<trans-unit> must have 'id'", of: nil, at: place)
        return open.append(.skipped)
      }
      let isInCharacters = tag.attribute("size-unit") == "char"
      unit = OpenUnit(
        id: id, place: place, offset: tag.bytes.lowerBound,
        isApproved: tag.attribute("approved") == "yes",
        maximumLength: isInCharacters ? tag.attribute("maxwidth").flatMap { Int($0) } : nil)
      open.append(.unit)
    default: open.append(.skipped)
    }
  }

  private mutating func beginPart(_ tag: XMLStartTag, at place: SourceLocation) {
    text.removeAll(keepingCapacity: true)
    switch tag.name {
    case "source":
      if unit?.source != nil { reportSecond(tag, at: place) }
      open.append(.source)
    case "target":
      if unit?.target != nil { reportSecond(tag, at: place) }
      readState(of: tag, at: place)
      unit?.targetPlace = place
      open.append(.target)
    case "note": open.append(.note)
    case "context-group": open.append(.contexts)
    // `<alt-trans>` has proposals, and `<seg-source>` repeats the source in segments.
    default: open.append(.skipped)
    }
  }

  private mutating func beginContext(_ tag: XMLStartTag) {
    text.removeAll(keepingCapacity: true)
    let isOurs = tag.attribute("context-type") == XLIFFWriter.whereUsedContext
    open.append(tag.name == "context" && isOurs ? .context : .skipped)
  }

  private mutating func beginInline(_ tag: XMLStartTag, at place: SourceLocation) {
    // Some tools divide a text into segments by `<mrk>`. Without these marks, the text is whole.
    guard tag.name != "mrk" else { return open.append(.marker) }
    open.append(.skipped)
    let known = Self.inline.contains(tag.name) ? "inline element" : "element"
    report(
      "a text must not contain the \(known) <\(tag.name.shortened)>", at: place,
      advice: "in the tool, turn off the recognition of tags, and export the file again")
  }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    switch open.last {
    case .source, .target, .note, .context, .marker: text.append(contentsOf: bytes)
    default: break
    }
  }

  mutating func end(at offset: Int) {
    switch open.popLast() {
    case .source: unit?.source = String(decoding: text, as: UTF8.self)
    case .target:
      unit?.target = String(decoding: text, as: UTF8.self)
      unit?.targetPlace?.range?.end = input.position(of: offset)
    case .note: unit?.notes.append(String(decoding: text, as: UTF8.self))
    case .context: unit?.whereUsed.append(String(decoding: text, as: UTF8.self))
    case .unit: finishUnit()
    default: break
    }
  }

  // MARK: Units

  private mutating func reportSecond(_ tag: XMLStartTag, at place: SourceLocation) {
    report("<trans-unit> must have one <\(tag.name)>", at: place, advice: nil)
  }

  private mutating func report(_ message: String, at place: SourceLocation, advice: String?) {
    unit?.isValid = false
    collection.report(message, of: unit?.id, at: place, advice: advice)
  }

  private mutating func readState(of tag: XMLStartTag, at place: SourceLocation) {
    unit?.state = nil
    guard let name = tag.attribute("state") else { return }
    // A state with a tool's own name needs a review.
    if let state = name.hasBytePrefix("x-") ? .needsReview : collection.format.state(named: name) {
      unit?.state = state
    } else {
      unit?.isValid = false
      collection.reportState(name, of: unit?.id ?? "", at: place)
    }
  }

  private mutating func finishUnit() {
    guard let unit, let locale else { return }
    self.unit = nil
    guard let source = unit.source else {
      if unit.isValid {
        collection.report("<trans-unit> must have <source>", of: unit.id, at: unit.place)
      }
      return
    }
    guard unit.isValid else { return }
    // Tools write an empty target without a state where a translation is missing.
    let target = unit.target == "" && unit.state == nil ? nil : unit.target
    var read = TranslationUnit(
      id: ExactString(unit.id), source: source, target: target,
      state: unit.isApproved ? .final : unit.state ?? .translated,
      note: unit.notes.joined(separator: "\n"), maximumLength: unit.maximumLength,
      whereUsed: unit.whereUsed)
    read.place = unit.place
    read.targetPlace = unit.targetPlace ?? unit.place
    collection.add(read, to: locale)
  }
}
