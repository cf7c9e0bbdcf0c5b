// SPDX-License-Identifier: MIT
#include "runtime/services/processor.hpp"

#include <sys/utsname.h>

#include <cstdlib>

#include "runtime/services/chosen_device.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace semblance {
namespace {

#if defined(__x86_64__)

/// The level of the x86-64 ABI: 3 has AVX2, 4 has AVX-512.
const char* level() {
  const bool third = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                     __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool fourth = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return third && fourth ? "x86-64-v4" : third ? "x86-64-v3" : "x86-64-v2 or less";
}

bool has_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned amx_bf16 = 1u << 22;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & amx_bf16) != 0;
}

/// OpenBLAS has separate kernels for the processors of each maker.
std::string instructions() {
  __builtin_cpu_init();
  std::string kind = level();
  if (__builtin_cpu_supports("avx512bf16")) kind += " bf16";
  if (has_amx()) kind += " amx";
  return kind + (__builtin_cpu_is("amd") ? " amd" : __builtin_cpu_is("intel") ? " intel" : "");
}

#else

std::string instructions() {
  utsname name = {};
  return ::uname(&name) == 0 ? name.machine : "unknown";
}

#endif

}  // namespace

std::string processor_kind() {
  static const std::string processor = [] {
    std::string text = instructions();
    // Both overrule OpenBLAS's own choice.
    if (const char* told = std::getenv("OPENBLAS_CORETYPE"))
      text += std::string(", OpenBLAS as ") + told;
    if (const char* told = std::getenv("OPENBLAS_L2_SIZE"))
      text += std::string(", OpenBLAS with an L2 cache of ") + told;
    return text;
  }();
  const Device* const device = chosen_device();
  return device ? processor + ", " + device->name() : processor;
}

}  // namespace semblance
