import ContentBuild
package import ContentReleases
package import ContentTargets
import Diagnostics
package import System

extension Failure {
  /// Performs work at a target or on the disk, and throws its errors as failures.
  package static func ofDelivery<Result>(_ work: () throws -> Result) throws -> Result {
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

  /// Creates the failure for a file of the output folder that cannot be written.
  package init(_ error: StoreError) {
    self.init(
      error.kind == .busy ? .tryAgain : .inputOutput, diagnostic: Diagnostic(error))
  }

  /// Creates the failure for an error of a target.
  package init(_ error: TargetError) {
    let rule: Rule =
      switch error.kind {
      case .missing: .missingTarget
      case .denied: .targetDenied
      case .unreachable: .targetUnreachable
      case .busy: .targetBusy
      case .failed, .damaged: .targetFailed
      case .unusable: .targetAddress
      case .unreadable: .unreadableObject
      case .tooLarge: .tooLarge
      }
    let status: ExitStatus =
      switch error.kind {
      case .busy: .tryAgain
      case .unreadable: .inputOutput
      default: .unavailable
      }
    self.init(status, rule, error.description)
  }

  /// Creates the failure for an error of a publication.
  package init(_ error: DeliveryError) {
    switch error.kind {
    case .refused, .missing: self.init(.unavailable, .refused, error.description)
    case .rollout: self.init(.gate, .runningRollout, error.description)
    case .lost: self.init(.tryAgain, .lostRace, error.description)
    case .unknown: self.init(.missingInput, .missingRelease, error.description)
    }
    diagnostic.notes = error.notes.map { Diagnostic.Note($0) }
  }
}
