#include <zlib.h>

#ifdef __linux__
// Swift's Glibc overlay is built without _GNU_SOURCE and lacks this one call: everything written to the file system that
// holds a descriptor reaches the disk (Linux 2.6.39).
int syncfs(int descriptor);
#endif
