import SystemC

/// Returns the seconds that this thread's processor has worked, which do not depend on what else runs.
package func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
