extension Array where Element: Sendable {
  /// Does what waits for the disk, not for a processor, to several elements at a time; throws what
  /// failed first.
  ///
  /// After a failure, the thread that met it begins nothing more.
  func forEachOverlapped(
    atOnce limit: Int = 8, _ body: @escaping @Sendable (Element) throws(StoreError) -> Void
  ) throws(StoreError) {
    let lanes = Swift.min(limit, count)
    if lanes < 2 {
      for element in self { try body(element) }
      return
    }
    let running = (0..<lanes).map { lane in
      Overlapped { () throws(StoreError) in
        for index in stride(from: lane, to: self.count, by: lanes) { try body(self[index]) }
      }
    }
    var failure: StoreError?
    for work in running {
      do throws(StoreError) { try work.wait() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
