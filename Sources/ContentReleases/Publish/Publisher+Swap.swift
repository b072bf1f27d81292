import ContentModel
import ContentTargets

/// The swap of config, which alone decides which release is live.
extension Publisher {
  /// Makes the release of a draft the live one, unless another config than that with a tag is there.
  ///
  /// If only its statements were signed again meanwhile, the swap is tried again.
  func swap(
    to record: ReleaseRecord, in file: OutgoingFile, after live: LiveRelease?, tagged tag: String?,
    attempts: Int
  ) throws {
    let isReplaced: Bool
    do {
      isReplaced = try target.replace(
        place.configKey(record.format), with: file, tagged: tag)
    } catch {
      // The target may have replaced config even though the answer was lost or came from a proxy.
      if let now = try? place.live(), (try? isPublished(record, asOf: now)) == true { return }
      throw error
    }
    if isReplaced { return try confirm(record, config: file) }
    if replacesUnverified {
      throw DeliveryError(
        .lost,
        "config of '\(place.channel)' was replaced meanwhile; nothing was changed; look with 'contentc status'"
      )
    }
    let winner = try place.live()
    // The answer to an earlier attempt may be lost, and another release may have followed.
    if let winner, try isPublished(record, asOf: winner) { return }
    if let winner, let live, winner.config == live.config, attempts > 1,
      tag?.hasSameBytes(as: winner.tag) != true
    {
      return try swap(
        to: record, in: file, after: live, tagged: winner.tag, attempts: attempts - 1)
    }
    throw DeliveryError(.lost, sentence(on: winner, after: live))
  }

  /// The milliseconds before each attempt to read back a replaced config: two seconds in total.
  static let pauses = [0, 50, 150, 300, 500, 1_000]

  /// Reads config back: a proxy may have reported it as written, or may answer with an older copy.
  ///
  /// - Throws: `TargetError` if the target still shows the old release: the live release is then
  ///   unknown.
  private func confirm(_ record: ReleaseRecord, config file: OutgoingFile) throws {
    var last = "cannot be read back"
    for pause in Self.pauses {
      if pause > 0 { sleep(pause) }
      do {
        let now = try place.live(known: record)
        if let now, try isPublished(record, asOf: now) { return }
        last = now.map { "still shows release \($0.number)" } ?? "shows no release at all"
      } catch let error as TargetError {
        // The answer to the write may have proven it.
        if (try? target.holds(place.configKey(record.format), as: file)) == true { return }
        last = "cannot be read back (\(error))"
        break
      } catch {
        last = "cannot be read back (\(error))"
      }
    }
    throw TargetError(
      .unreachable,
      "\(target.name) says that it took config of release \(record.number), and \(last): whether release "
        + "\(record.number) is live is unknown; look with 'contentc status', then run again")
  }

  /// Returns whether the live release is the one of a record, or follows it.
  func isPublished(_ record: ReleaseRecord, asOf now: LiveRelease) throws -> Bool {
    if now.record.digest == record.digest { return true }
    guard now.number > record.number else { return false }
    var chain = try place.chain()
    while let earlier = try chain.next(), earlier.number >= record.number {
      if earlier.digest == record.digest { return true }
    }
    return false
  }

  private func sentence(on winner: LiveRelease?, after live: LiveRelease?) -> String {
    guard let winner else {
      return
        "config of '\(place.channel)' at \(target.name) was removed meanwhile; nothing was changed; run again"
    }
    if let live, winner.record.digest == live.record.digest {
      if winner.bytes != live.bytes {
        return
          "release \(live.number) of '\(place.channel)' was signed again meanwhile; nothing was changed; run again"
      }
      return
        "\(target.name) refuses to replace config, although it did not change; does a proxy drop 'ETag'? "
        + "Nothing was changed"
    }
    let who = winner.record.by.map { " by \($0)" } ?? ""
    let what = winner.record.message.map { " (\($0))" } ?? ""
    return
      "another publisher was faster: release \(winner.number) of '\(place.channel)' was published\(who)\(what); "
      + "nothing was changed; run again"
  }
}
