#include <dlfcn.h>
#include <qrencode.h>
#include <stdbool.h>
#include <string.h>

// libqrencode is loaded when a code is first drawn: Debian has no archive of it to link statically.

typedef struct {
  QRcode *(*encode)(int, const unsigned char *, int, QRecLevel);
  void (*free)(QRcode *);
  char *(*version)(void);
} cqrencode_functions;

// Finds one function; memcpy, since C has no conversion from an object's address to a function's.
static inline bool cqrencode_find(void *library, const char *name, void *place) {
  void *address = dlsym(library, name);
  memcpy(place, &address, sizeof address);
  return address != NULL;
}

static inline bool cqrencode_load(cqrencode_functions *functions) {
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  return library != NULL && cqrencode_find(library, "QRcode_encodeData", &functions->encode) &&
         cqrencode_find(library, "QRcode_free", &functions->free) &&
         cqrencode_find(library, "QRcode_APIVersionString", &functions->version);
}
