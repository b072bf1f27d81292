// Calls of Linux and Glibc that Swift's Glibc module lacks.
#ifdef __linux__
// Waits until everything written to the file system of a descriptor is on the disk (Linux 2.6.39).
int syncfs(int descriptor);

// With the flag 2 (SYNC_FILE_RANGE_WRITE) and a count of 0, the kernel begins to write the file out (Linux 2.6.17).
int sync_file_range(int descriptor, long long offset, long long count, unsigned int flags);
#endif
