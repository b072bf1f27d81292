// Limits how many tests of a process run at once: two for each processor.
//
// swift-testing 6.3 starts all tests of a process at once. Most of them wait for a program or a server, and so occupy
// the few threads that the process has for tasks. A test that pauses would wait for all others before it continues,
// and exceed its time limit. The library reads the variable when it starts, so the variable is set before `main`.

// For setenv, which is not part of C23.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void limitParallelTests(void) {
  char width[24];
  snprintf(width, sizeof width, "%ld", 2 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
