import ContentModel
package import SiteFormat

/// The two sides of a rollout: the next content, for the readers in it, and the stable one.
extension ReleaseContent {
  /// The rollout; `nil` for content that all readers get.
  package var rollout: Rollout? {
    get { members.rollout }
    set {
      guard let newValue, let next = members.nextSide else { return }
      members = members.rollingOut(next, as: newValue)
    }
  }

  /// Returns the content for the readers outside a rollout: after its abort, for all readers.
  ///
  /// - Throws: `DeliveryError` for an object that cannot be read; `TargetError`.
  package func stableSide() throws -> ReleaseContent {
    rollout == nil ? self : try side(members.stableSide)
  }

  /// Returns the content for the readers in a rollout: after its end, for all readers; `nil` without
  /// one.
  ///
  /// - Throws: `DeliveryError` for an object that cannot be read; `TargetError`.
  package func nextSide() throws -> ReleaseContent? { try members.nextSide.map(side) }

  private func side(_ members: Members) throws -> ReleaseContent {
    var side = self
    side.members = members
    do {
      let reached = try ReleaseReader(side).reached()
      side.objects = objects.filter { reached.contains($0.digest) }
    } catch let error as DeliveryError where error.kind == .missing {
      // The missing object may lead to any of the others. A record without them would let a prune
      // remove them.
    }
    return side
  }

  /// Returns this content with another one, which only the readers of a rollout get.
  package func rollingOut(_ next: ReleaseContent, as rollout: Rollout) -> ReleaseContent {
    var both = self
    both.members = members.rollingOut(next.members, as: rollout)
    let own = Set(objects)
    both.objects += next.objects.filter { !own.contains($0) }
    both.readsAtOnce = min(readsAtOnce, next.readsAtOnce)
    // The content folder may have an object that the target has lost.
    let new = Set(next.objects)
    both.file = { [file] object in
      try new.contains(object) ? next.file(object) : file(object)
    }
    return both
  }
}
