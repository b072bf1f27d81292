package import ContentModel

extension TranslationProject {
  /// `true` if the content has a translation into any locale.
  package var hasTranslations: Bool {
    locales.targets.contains { locale in units(into: locale).contains { $0.unit.target != nil } }
  }

  /// `false` if the content has translations but no lock, so that outdated ones are unknown.
  package var isLocked: Bool { lock != nil || !hasTranslations }

  /// The lock with one row for each translation; of several rows, it keeps that of the present
  /// texts.
  var lockOfPresentTexts: TranslationLock? {
    var lock = lock
    for (unit, locale) in translated {
      guard let target = unit.unit.target else { continue }
      lock?.choose(unit.unit.id, locale, source: unit.unit.source, target: target)
    }
    return lock
  }

  /// The lock in which all translations are current.
  var baseline: TranslationLock {
    var lock = TranslationLock()
    for (unit, locale) in translated { lock[unit.unit.id, locale] = unit.currentRow }
    return lock
  }

  /// The changes of a lock.
  package struct LockUpdate: Sendable {
    /// The lock after the changes.
    package var lock: TranslationLock
    /// The number of translations that had no row.
    package var added = 0
    /// The number of outdated translations that are current now.
    package var accepted = 0
    /// The number of translations that are still outdated.
    package var outdated = 0
    /// The number of rows whose translation does not exist.
    package var removed = 0
  }

  /// Returns the lock, updated for new translations and for translations whose text has changed.
  ///
  /// A translation that `isAccepted` accepts also counts as current, although only its source text
  /// has changed.
  package func updatedLock(
    accepting isAccepted: (_ unit: LocatedUnit, _ locale: LocaleTag) -> Bool
  ) -> LockUpdate {
    var update = LockUpdate(lock: lock ?? TranslationLock())
    var known: [LocaleTag: Set<ExactString>] = [:]
    for (unit, locale) in translated {
      let id = unit.unit.id
      known[locale, default: []].insert(id)
      guard let row = update.lock[id, locale] else {
        update.added += 1
        update.lock[id, locale] = unit.currentRow
        continue
      }
      let isChanged = unit.unit.target.map { row.isOfOther(target: $0) } ?? false
      if isChanged || isAccepted(unit, locale) {
        if unit.isOutdated { update.accepted += 1 }
        update.lock[id, locale] = unit.currentRow
      } else if unit.isOutdated {
        update.outdated += 1
      }
    }
    let count = update.lock.count
    update.lock.keep { unit, locale in known[locale]?.contains(unit) ?? false }
    update.removed = count - update.lock.count
    return update
  }

  /// The translations of all locales.
  private var translated: [(unit: LocatedUnit, locale: LocaleTag)] {
    locales.targets.flatMap { locale in
      units(into: locale).filter { $0.unit.target != nil }.map { ($0, locale) }
    }
  }
}

extension LocatedUnit {
  /// The row of a current translation.
  fileprivate var currentRow: TranslationLock.Row? {
    unit.target.map { TranslationLock.Row(source: unit.source, target: $0) }
  }
}
