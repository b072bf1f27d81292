import Parallel
import Dispatch
import Synchronization

/// Uploads that wait for their turn on a few threads: contents first, then the records that name
/// them.
final class UploadQueue: Sendable {
  private typealias Upload = @Sendable () -> Void

  private struct State {
    var contents: [(work: Upload, bytes: Int)] = []
    var records: [(work: Upload, bytes: Int)] = []
    var contentsUnderWay = 0
    var lanes = 0
    var bytes = 0
    var dropped = 0
    var isClosed = false

    /// How many could be under way at once.
    var ready: Int { contents.isEmpty && contentsUnderWay == 0 ? records.count : contents.count }
  }

  private struct Job {
    let work: Upload
    let bytes: Int
    let kind: CacheKind
  }

  private let state = Mutex(State())
  private let underWay = DispatchGroup()
  private let lanes: Int
  private let waitingBytes: Int

  init(lanes: Int, waitingBytes: Int) {
    self.lanes = lanes
    self.waitingBytes = waitingBytes
  }

  /// How many were taken in and never begun.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Takes an upload in; `false` if too many bytes wait already, or if it is too late.
  func add(_ kind: CacheKind, byteCount: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
    let isAdded = state.withLock { state in
      guard !state.isClosed, state.bytes + byteCount <= waitingBytes else { return false }
      state.bytes += byteCount
      switch kind {
      case .content: state.contents.append((work, byteCount))
      case .record: state.records.append((work, byteCount))
      }
      return true
    }
    if isAdded { startLanes() }
    return isAdded
  }

  /// Waits until nothing waits and nothing is under way; `false`, and nothing new is begun, if that
  /// takes longer.
  func finish(milliseconds: Int) -> Bool {
    if underWay.wait(timeout: .now() + .milliseconds(milliseconds)) == .success { return true }
    state.withLock { state in
      state.isClosed = true
      state.dropped += state.contents.count + state.records.count
      state.contents = []
      state.records = []
    }
    return false
  }

  private func startLanes() {
    let starting = state.withLock { state in
      let starting = max(0, min(state.ready, lanes - state.lanes))
      state.lanes += starting
      for _ in 0..<starting { underWay.enter() }
      return starting
    }
    for _ in 0..<starting { _ = BackgroundTask { self.work() } }
  }

  /// One lane: one upload after the other, until there is none.
  private func work() {
    var done: Job?
    while let job = next(after: done) {
      startLanes()
      job.work()
      done = job
    }
    underWay.leave()
  }

  private func next(after done: Job?) -> Job? {
    state.withLock { state in
      if let done {
        state.bytes -= done.bytes
        if done.kind == .content { state.contentsUnderWay -= 1 }
      }
      let kind = state.contents.isEmpty ? CacheKind.record : .content
      guard state.ready > 0,
        let next = kind == .content ? state.contents.popLast() : state.records.popLast()
      else {
        state.lanes -= 1
        return nil
      }
      if kind == .content { state.contentsUnderWay += 1 }
      return Job(work: next.work, bytes: next.bytes, kind: kind)
    }
  }
}
