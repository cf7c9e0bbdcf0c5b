// SPDX-License-Identifier: MIT
// Preloaded by tests: the shipped program sees a file system without locks or with ineffective
// ones, a wrong clock, and another host name. File times stay those of the kernel, as on a file
// server.
//
//   SEMBLANCE_TEST_LOCKS   none: flock() and fcntl()'s locks fail with ENOLCK
//                          alone: they succeed, even if others hold them
//   SEMBLANCE_TEST_CLOCK   seconds that the clock of the day is ahead
//   SEMBLANCE_TEST_HOST    the name of the machine, by which it is taken for another
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool locks_are(const char* what) {
  const char* set = ::getenv("SEMBLANCE_TEST_LOCKS");
  return set && ::strcmp(set, what) == 0;
}

time_t seconds_ahead() {
  static const char* const set = ::getenv("SEMBLANCE_TEST_CLOCK");
  return set ? static_cast<time_t>(::atoll(set)) : 0;
}

bool is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW;
}

template <class Function>
int file_control(const char* name, int descriptor, int command, void* argument) {
  if (is_lock(command)) {
    if (locks_are("alone")) return 0;
    if (locks_are("none")) {
      errno = ENOLCK;
      return -1;
    }
  }
  static Function* const next = original<Function>(name);
  return next(descriptor, command, argument);
}

using FileControl = int(int, int, ...);

}  // namespace

extern "C" {

int flock(int descriptor, int operation) noexcept {
  if (locks_are("alone")) return 0;
  if (locks_are("none")) {
    errno = ENOLCK;
    return -1;
  }
  static auto* const next = original<int(int, int)>("flock");
  return next(descriptor, operation);
}

int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return file_control<FileControl>("fcntl", descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return file_control<FileControl>("fcntl64", descriptor, command, argument);
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static auto* const next = original<int(clockid_t, timespec*)>("clock_gettime");
  const int result = next(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += seconds_ahead();
  return result;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  static auto* const next = original<int(timeval*, void*)>("gettimeofday");
  const int result = next(now, zone);
  if (result == 0) now->tv_sec += seconds_ahead();
  return result;
}

time_t time(time_t* now) noexcept {
  static auto* const next = original<time_t(time_t*)>("time");
  const time_t result = next(nullptr) + seconds_ahead();
  if (now) *now = result;
  return result;
}

int gethostname(char* name, size_t size) noexcept {
  const char* set = ::getenv("SEMBLANCE_TEST_HOST");
  static auto* const next = original<int(char*, size_t)>("gethostname");
  if (!set) return next(name, size);
  ::strncpy(name, set, size);
  return 0;
}

}  // extern "C"
