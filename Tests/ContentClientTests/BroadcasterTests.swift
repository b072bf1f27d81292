import ContentModel
import Dispatch
import Synchronization
import TestServers
import Testing

/// Values for several listeners, some of which stop while others get values.
@Suite(.timeLimit(.minutes(5))) struct BroadcasterTests {
  /// An executor that notes when a task is to run, and lets it run later.
  ///
  /// The thread that sends a value waits in `enqueue`, as it does for a moment of any executor.
  private final class SlowExecutor: TaskExecutor {
    let queue = DispatchQueue(label: "slow")
    /// The work of the next call of `enqueue`, before it lets the task run; `nil` for none.
    let pause = Mutex<(@Sendable () -> Void)?>(nil)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let pause = self.pause.withLock { pause in
        defer { pause = nil }
        return pause
      }
      pause?()
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// A cancellation must not wait for a thread that sends a value to the same task.
  @Test func letsATaskStopWhileItGetsAValue() async throws {
    let broadcaster = Broadcaster<Int>(capacity: 8)
    let executor = SlowExecutor()
    let stream = broadcaster.stream()
    let listener = Task(executorPreference: executor) {
      for await _ in stream {}
    }
    let isCancelled = DispatchSemaphore(value: 0)
    let isInTime = Mutex(false)
    executor.pause.withLock {
      $0 = {
        DispatchQueue.global().async {
          listener.cancel()
          isCancelled.signal()
        }
        let outcome = isCancelled.wait(timeout: .now() + 5)
        isInTime.withLock { $0 = outcome == .success }
      }
    }
    // Only a value that the task waits for lets it run; an earlier one is kept for it.
    for _ in 0..<500 where executor.pause.withLock({ $0 != nil }) {
      broadcaster.send { 1 }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(isInTime.withLock { $0 })
    await listener.value
    #expect(broadcaster.listenerCount == 0)
  }

  /// Threads that send at once deliver to each listener in the order in which values are made.
  @Test func keepsTheOrderOfAllThreads() async throws {
    let (threads, each) = (4, 2_000)
    let broadcaster = Broadcaster<Int>(capacity: threads * each + 2)
    let early = broadcaster.stream(first: { 0 })
    let made = Mutex(0)
    try Threads.runBlocking(threads) { _ in
      for _ in 0..<each {
        broadcaster.send {
          made.withLock { made in
            made += 1
            return made
          }
        }
      }
    }
    let late = broadcaster.stream()
    broadcaster.send { -1 }
    broadcaster.end()
    #expect(await early.reduce(into: []) { $0.append($1) } == Array(0...threads * each) + [-1])
    #expect(await late.reduce(into: []) { $0.append($1) } == [-1])
    #expect(await broadcaster.stream().reduce(into: []) { $0.append($1) } == [])
  }

  /// Listeners subscribe and cancel while values are sent: no thread may wait forever.
  @Test func outlivesListenersThatStopAtAnyTime() async throws {
    let broadcaster = Broadcaster<Int>(capacity: 4)
    let sender = Task.detached {
      var number = 0
      while !Task.isCancelled {
        number += 1
        broadcaster.send { number }
        await Task.yield()
      }
    }
    for _ in 0..<2_000 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          let stream = broadcaster.stream()
          group.addTask { for await _ in stream {} }
        }
        await Task.yield()
        group.cancelAll()
      }
    }
    sender.cancel()
    await sender.value
    #expect(broadcaster.listenerCount == 0)
  }
}
