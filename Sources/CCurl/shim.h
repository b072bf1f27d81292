#include <curl/curl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

// libcurl is loaded when a server is first asked, and not linked: linked, it costs every start of the tool 3 ms.
// Swift cannot call functions with variable arguments; those that set options take one argument of a known type here.

typedef struct {
  char *(*version)(void);
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  CURLcode (*easy_perform)(CURL *);
  const char *(*easy_strerror)(CURLcode);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} ccurl_functions;

// Finds one function; memcpy, since C has no conversion from an object's address to a function's.
static inline bool ccurl_find(void *library, const char *name, void *place) {
  void *address = dlsym(library, name);
  memcpy(place, &address, sizeof address);
  return address != NULL;
}

static inline bool ccurl_load(const char *name, ccurl_functions *curl) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  return library != NULL && ccurl_find(library, "curl_version", &curl->version) &&
         ccurl_find(library, "curl_global_init", &curl->global_init) &&
         ccurl_find(library, "curl_easy_init", &curl->easy_init) &&
         ccurl_find(library, "curl_easy_cleanup", &curl->easy_cleanup) &&
         ccurl_find(library, "curl_easy_reset", &curl->easy_reset) &&
         ccurl_find(library, "curl_easy_setopt", &curl->easy_setopt) &&
         ccurl_find(library, "curl_easy_getinfo", &curl->easy_getinfo) &&
         ccurl_find(library, "curl_easy_perform", &curl->easy_perform) &&
         ccurl_find(library, "curl_easy_strerror", &curl->easy_strerror) &&
         ccurl_find(library, "curl_slist_append", &curl->slist_append) &&
         ccurl_find(library, "curl_slist_free_all", &curl->slist_free_all) &&
         curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static inline void ccurl_set_number(ccurl_functions curl, CURL *handle, CURLoption option, long value) {
  curl.easy_setopt(handle, option, value);
}

static inline void ccurl_set_size(ccurl_functions curl, CURL *handle, CURLoption option, curl_off_t value) {
  curl.easy_setopt(handle, option, value);
}

static inline void ccurl_set_text(ccurl_functions curl, CURL *handle, CURLoption option, const char *value) {
  curl.easy_setopt(handle, option, value);
}

static inline void ccurl_set_pointer(ccurl_functions curl, CURL *handle, CURLoption option, const void *value) {
  curl.easy_setopt(handle, option, value);
}

static inline void ccurl_set_receiver(ccurl_functions curl, CURL *handle, curl_write_callback receive, void *receiver) {
  curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
  curl.easy_setopt(handle, CURLOPT_WRITEDATA, receiver);
}

static inline void ccurl_set_sender(ccurl_functions curl, CURL *handle, curl_read_callback send,
                                    curl_seek_callback rewind, void *sender) {
  curl.easy_setopt(handle, CURLOPT_READFUNCTION, send);
  curl.easy_setopt(handle, CURLOPT_READDATA, sender);
  curl.easy_setopt(handle, CURLOPT_SEEKFUNCTION, rewind);
  curl.easy_setopt(handle, CURLOPT_SEEKDATA, sender);
}

static inline void ccurl_set_header_receiver(ccurl_functions curl, CURL *handle, curl_write_callback receive,
                                             void *receiver) {
  curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, receive);
  curl.easy_setopt(handle, CURLOPT_HEADERDATA, receiver);
}

static inline void ccurl_set_observer(ccurl_functions curl, CURL *handle, curl_xferinfo_callback observe, void *observer) {
  curl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, observe);
  curl.easy_setopt(handle, CURLOPT_XFERINFODATA, observer);
  curl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

// Opens a socket that child processes do not inherit: they would keep a connection open after its end here. Not all
// versions of libcurl do this themselves.
static inline curl_socket_t ccurl_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  curl_socket_t descriptor = socket(address->family, address->socktype, address->protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

static inline void ccurl_close_on_exec(ccurl_functions curl, CURL *handle) {
  curl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
}

static inline long ccurl_status(ccurl_functions curl, CURL *handle) {
  long status = 0;
  curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// CURLINFO_SIZE_UPLOAD_T or another count of bytes.
static inline curl_off_t ccurl_size(ccurl_functions curl, CURL *handle, CURLINFO info) {
  curl_off_t size = 0;
  curl.easy_getinfo(handle, info, &size);
  return size;
}

// CURLINFO_NUM_CONNECTS or another count.
static inline long ccurl_count(ccurl_functions curl, CURL *handle, CURLINFO info) {
  long count = 0;
  curl.easy_getinfo(handle, info, &count);
  return count;
}
