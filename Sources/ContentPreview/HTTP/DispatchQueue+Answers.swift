import Dispatch

extension DispatchQueue {
  /// Runs work that takes its time where nobody else has to wait for it.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws(Refusal) -> Result
  ) async throws(Refusal) -> Result {
    let result = await withCheckedContinuation {
      (done: CheckedContinuation<Swift.Result<Result, Refusal>, Never>) in
      self.async {
        do throws(Refusal) { done.resume(returning: .success(try work())) } catch {
          done.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
