import Dispatch

extension DispatchQueue {
  /// Runs work that takes its time where nobody else has to wait for it.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws(RequestError) -> Result
  ) async throws(RequestError) -> Result {
    let result = await withCheckedContinuation {
      (done: CheckedContinuation<Swift.Result<Result, RequestError>, Never>) in
      self.async {
        do throws(RequestError) { done.resume(returning: .success(try work())) } catch {
          done.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
