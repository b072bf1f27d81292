extension LocaleTag {
  /// The tag without aliases: `he` for `iw`, `sr-Latn` for `sh` (UTS #35, annex C).
  public var canonical: LocaleTag {
    var tag = self
    // An alias can lead to another one, in CLDR through at most three steps.
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

  /// The tag without an alias of several subtags: `nn` for `no-nynorsk`; `nil` if it has none.
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

  /// The tag with its likely script and region (UTS #35, “Likely Subtags”): `zh-Hant-TW` for
  /// `zh-TW`.
  ///
  /// Aliases are not replaced. A language that CLDR lacks does not change.
  public var maximized: LocaleTag {
    let likely = CLDR.addLikely(language, script: script, region: region)
    return LocaleTag(
      language: language, script: likely.script, region: likely.region, variants: variants)
  }

  /// The locale to which values fall back; `nil` for a locale below the root.
  ///
  /// The parent is CLDR's explicit parent, otherwise the tag without its last subtag, but never a
  /// locale in another script. The parent of a tag whose region implies another script (`zh-TW`)
  /// is the tag with that script (`zh-Hant-TW`).
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

  /// `true` if the likely script is written from right to left.
  public var isRightToLeft: Bool {
    CLDR.rightToLeftScripts.contains(canonical.maximized.script ?? "")
  }
}

extension LocaleTag {
  /// Returns `true` for the same language in the same script, by CLDR's parents: `en-GB` of `en`,
  /// not `zh-Hant` of `zh`.
  package func isRegionalVariant(of other: LocaleTag) -> Bool {
    language == other.language && eldest == other.eldest
  }

  private var eldest: LocaleTag { sequence(first: self, next: \.parent).reduce(self) { $1 } }
}
