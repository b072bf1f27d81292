// Calls of Linux and Glibc that Swift's Glibc module lacks.
#ifdef __linux__
#include <spawn.h>
#include <sys/socket.h>

// Waits until everything written to the file system of a descriptor is on the disk (Linux 2.6.39).
int syncfs(int descriptor);

// With the flag 2 (SYNC_FILE_RANGE_WRITE) and a count of 0, the kernel begins to write the file out (Linux 2.6.17).
int sync_file_range(int descriptor, long long offset, long long count, unsigned int flags);

// A pipe whose ends other programs do not inherit, with the flag O_CLOEXEC.
int pipe2(int ends[2], int flags);

// Accepts a connection with further flags, such as SOCK_CLOEXEC (Linux 2.6.28).
int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags);

// A temporary file with further flags, such as O_CLOEXEC.
int mkostemp(char *template_, int flags);

// Starts a program in another folder (Glibc 2.29).
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#endif
