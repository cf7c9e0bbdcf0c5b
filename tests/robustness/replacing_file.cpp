// SPDX-License-Identifier: MIT
// Preloaded by tests: replaces $SEMBLANCE_TEST_OLD by $SEMBLANCE_TEST_NEW (rename), right before
// the file is opened for the $SEMBLANCE_TEST_AT-th time.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

void seen(const char* path) {
  static int opened = 0;
  const char* old = ::getenv("SEMBLANCE_TEST_OLD");
  if (!path || !old || ::strcmp(path, old) != 0) return;
  if (++opened == ::atoi(::getenv("SEMBLANCE_TEST_AT")))
    ::rename(::getenv("SEMBLANCE_TEST_NEW"), old);
}

using Open = int(const char*, int, ...);
using FOpen = FILE*(const char*, const char*);

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  seen(path);
  static Open* const next = original<Open>("open");
  return next(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int mode = va_arg(more, int);
  va_end(more);
  seen(path);
  static Open* const next = original<Open>("open64");
  return next(path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  seen(path);
  static FOpen* const next = original<FOpen>("fopen");
  return next(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  seen(path);
  static FOpen* const next = original<FOpen>("fopen64");
  return next(path, mode);
}

}  // extern "C"
