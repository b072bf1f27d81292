// Glibc's own knobs, which its Swift module leaves out.
#ifdef __linux__
#include <malloc.h>
#endif
