import SystemC

/// The memory that the process takes from the system.
package enum Heap {
  /// Asks the system for memory seldom, and gives none back: for commands that end before long.
  ///
  /// Left alone, Glibc takes it page by page on every thread but the first.
  package static func growInLargeSteps() {
    #if os(Linux)
      for option in [M_TOP_PAD, M_TRIM_THRESHOLD, M_MMAP_THRESHOLD] {
        _ = mallopt(option, 32 << 20)
      }
    #endif
  }
}
