import Synchronization
import System

/// Uploads that wait for their turn on a few threads: contents first, then the records that name
/// them.
///
/// A class, since its threads and those that add uploads share it.
final class UploadQueue: Sendable {
  struct Upload: Sendable {
    let isRecord: Bool
    let byteCount: Int
    let send: @Sendable () -> Void
  }

  private struct State {
    var contents: [Upload] = []
    var records: [Upload] = []
    var contentsInProgress = 0
    var lanes = 0
    /// The bytes of all uploads that wait or are in progress.
    var bytes = 0
    var dropped = 0
    var isClosed = false

    /// The number of uploads that may begin: a record waits for all contents.
    var ready: Int { contents.isEmpty && contentsInProgress == 0 ? records.count : contents.count }
  }

  private let state = Mutex(State())
  private let threads = BackgroundGroup()
  private let lanes: Int
  private let waitingBytes: Int

  init(lanes: Int, waitingBytes: Int) {
    (self.lanes, self.waitingBytes) = (lanes, waitingBytes)
  }

  /// The number of uploads that were added and never began.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Adds an upload; `false` if too many bytes wait already, or the queue is closed.
  func add(_ upload: Upload) -> Bool {
    let isAdded = state.withLock { state in
      guard !state.isClosed, state.bytes + upload.byteCount <= waitingBytes else { return false }
      state.bytes += upload.byteCount
      if upload.isRecord { state.records.append(upload) } else { state.contents.append(upload) }
      return true
    }
    if isAdded { startLanes() }
    return isAdded
  }

  /// Waits for the end of all uploads; if that takes longer, closes the queue and returns `false`.
  func finish(milliseconds: Int) -> Bool {
    if threads.wait(milliseconds: milliseconds) { return true }
    state.withLock { state in
      state.isClosed = true
      state.dropped += state.contents.count + state.records.count
      (state.contents, state.records) = ([], [])
    }
    return false
  }

  private func startLanes() {
    let starting = state.withLock { state in
      let starting = max(0, min(state.ready, lanes - state.lanes))
      state.lanes += starting
      return starting
    }
    for _ in 0..<starting { threads.add { self.work() } }
  }

  /// Sends one upload after the other, until no other may begin.
  private func work() {
    var sent: Upload?
    while let upload = next(after: sent) {
      startLanes()
      upload.send()
      sent = upload
    }
  }

  private func next(after sent: Upload?) -> Upload? {
    state.withLock { state in
      if let sent {
        state.bytes -= sent.byteCount
        if !sent.isRecord { state.contentsInProgress -= 1 }
      }
      guard state.ready > 0,
        let upload = state.contents.popLast() ?? state.records.popLast()
      else {
        state.lanes -= 1
        return nil
      }
      if !upload.isRecord { state.contentsInProgress += 1 }
      return upload
    }
  }
}
