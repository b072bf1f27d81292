extension LocaleTag {
  /// The tag with its aliases replaced: `he` for `iw`, `sr-Latn` for `sh` (UTS #35, annex C).
  public var canonical: LocaleTag {
    var tag = self
    // An alias may lead to another one; CLDR's chains are at most three long.
    for _ in 0..<4 {
      let next = tag.replacingAliases
      if next == tag { break }
      tag = next
    }
    return tag
  }

  private var replacingAliases: LocaleTag {
    if let compound = replacingCompoundAlias { return compound }
    let replacement = CLDR.currentLanguage(language).flatMap { LocaleTag($0) }
    let language = replacement?.language ?? language
    let script = (script ?? replacement?.script).map { CLDR.scriptAliases[$0] ?? $0 }
    let region = (region ?? replacement?.region).map {
      CLDR.currentRegion($0, language: language, script: script)
    }
    let variants = variants.map { CLDR.variantAliases[$0] ?? $0 }.sorted()
    return LocaleTag(language: language, script: script, region: region, variants: variants)
  }

  /// `no-nynorsk` is `nn`: the subtag that named another language goes.
  private var replacingCompoundAlias: LocaleTag? {
    for (index, variant) in variants.enumerated() {
      guard let found = CLDR.compoundAliases["\(language)-\(variant)"].flatMap({ LocaleTag($0) })
      else { continue }
      var rest = variants
      rest.remove(at: index)
      return LocaleTag(
        language: found.language, script: script ?? found.script, region: region ?? found.region,
        variants: rest)
    }
    guard let region,
      let found = CLDR.compoundAliases["\(language)-\(region)"].flatMap({ LocaleTag($0) })
    else {
      return nil
    }
    return LocaleTag(language: found.language, script: script ?? found.script, variants: variants)
  }

  /// The tag with its likely script and region added (UTS #35, "Likely Subtags"): `zh-Hant-TW` for
  /// `zh-TW`.
  ///
  /// Aliases are left as they are. A language that CLDR does not know stays as it is.
  public var maximized: LocaleTag {
    let likely = CLDR.addLikely(language, script: script, region: region)
    return LocaleTag(
      language: language, script: likely.script, region: likely.region, variants: variants)
  }

  /// The locale that values fall back to; `nil` is the root.
  ///
  /// CLDR's explicit parent, else the tag without its last subtag, but never a language that is
  /// written in another script. A region that implies another script (`zh-TW`) has that script
  /// written out first: `zh-Hant-TW`.
  public var parent: LocaleTag? {
    if let explicit = CLDR.parents[identifier] { return LocaleTag(explicit) }
    if !variants.isEmpty {
      return LocaleTag(
        language: language, script: script, region: region, variants: variants.dropLast())
    }
    let likely = CLDR.likelyScript(of: language)
    guard region != nil else {
      return script == likely && script != nil ? LocaleTag(language: language) : nil
    }
    let implied = maximized.script
    guard script == nil, implied != likely else {
      return LocaleTag(language: language, script: script)
    }
    return LocaleTag(language: language, script: implied, region: region)
  }

  /// Whether the likely script is written from right to left.
  public var isRightToLeft: Bool {
    CLDR.rightToLeftScripts.contains(canonical.maximized.script ?? "")
  }
}
