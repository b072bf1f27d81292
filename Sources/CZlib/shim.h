#include <zlib.h>

#ifdef __linux__
// Swift's Glibc overlay is built without _GNU_SOURCE and lacks these two calls.

// Everything written to the file system that holds a descriptor reaches the disk (Linux 2.6.39).
int syncfs(int descriptor);

// With the flag 2 (SYNC_FILE_RANGE_WRITE) and a count of 0, the kernel begins to write the file out (Linux 2.6.17).
int sync_file_range(int descriptor, long long offset, long long count, unsigned int flags);
#endif
