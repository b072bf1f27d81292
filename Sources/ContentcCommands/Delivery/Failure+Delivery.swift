import ContentBuild
import ContentModel
import ContentReleases
import ContentSource
import ContentStore
import ContentTargets
import Diagnostics

extension Failure {
  /// Performs work at a target or on the disk, and throws its errors as failures.
  static func ofDelivery<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as BuildError {
      throw Failure(error)
    } catch let error as StoreError {
      throw Failure(error)
    } catch let error as TargetError {
      throw Failure(error)
    } catch let error as DeliveryError {
      throw Failure(error)
    }
  }

  /// Creates the failure for an error of a target.
  init(_ error: TargetError) {
    let id =
      switch error.kind {
      case .missing: "missing-target"
      case .denied: "target-denied"
      case .unreachable: "target-unreachable"
      case .busy: "target-busy"
      case .failed, .damaged: "target-failed"
      case .unusable: "target-address"
      case .unreadable: "unreadable-object"
      case .tooLarge: "too-large"
      }
    let status: ExitStatus =
      switch error.kind {
      case .busy: .tryAgain
      case .unreadable: .inputOutput
      default: .unavailable
      }
    self.init(status, id, error.description)
  }

  /// Creates the failure for an error of a publication.
  init(_ error: DeliveryError) {
    switch error.kind {
    case .refused, .missing: self.init(.unavailable, "refused", error.description)
    case .lost: self.init(.tryAgain, "lost-race", error.description)
    case .unknown: self.init(.missingInput, "missing-release", error.description)
    }
  }
}

extension Report {
  /// Adds the page of one of several channels, and returns its members.
  ///
  /// If the channel cannot be read, a warning has the reason, and the other channels are shown. It
  /// is an error if no channel can be read.
  mutating func look(
    at channel: Channel, of channels: [Channel], _ look: (inout Report) throws -> Members
  ) throws -> Members {
    do {
      return try Failure.ofDelivery { try look(&self) }
    } catch let failure as Failure {
      text += "\(channel.name)\n  cannot be read\n"
      if channels.count == 1 {
        diagnostics.append(failure.diagnostic)
        status = failure.status
      } else {
        diagnostics.append(
          .warning(
            "unreadable-channel", at: nil,
            message: "'\(channel.name)' cannot be read: \(failure.diagnostic.message)",
            notes: failure.diagnostic.notes))
        let unreadable = diagnostics.indices.filter { diagnostics[$0].id == "unreadable-channel" }
        if unreadable.count == channels.count {
          status = failure.status
          for index in unreadable { diagnostics[index].severity = .error }
        }
      }
      return ["error": .string(failure.diagnostic.message)]
    }
  }
}
