// SPDX-License-Identifier: MIT
// The words in which kernels are written, so that the same source is compiled for a GPU and, in
// tests, for the CPU: on both it computes the same bits.
//
// A kernel is a sequence of phases. EACH_THREAD { ... } is a phase: all threads of a block do it,
// and all are done before the next one begins. `thread` is the thread's number. A variable that a
// thread keeps from phase to phase is PRIVATE, and used as MINE(name); an array that all threads of
// a block use is SHARED. KERNEL(name, Argument, threads, blocks) takes so few registers that this
// many blocks run on a multiprocessor.
#pragma once

#if defined(__CUDA__) || defined(__CUDACC__)

#if defined(__CUDACC__)  // nvcc
#define SEMBLANCE_GLOBAL(...) extern "C" __global__ void __launch_bounds__(__VA_ARGS__)
#define ON_DEVICE __device__ __forceinline__
#define SHARED(Type, name, ...) alignas(16) __shared__ Type name __VA_ARGS__
namespace semblance::gpu {
ON_DEVICE unsigned thread_number() { return threadIdx.x; }
ON_DEVICE unsigned block_column() { return blockIdx.x; }
ON_DEVICE unsigned block_row() { return blockIdx.y; }
ON_DEVICE void wait_for_block() { __syncthreads(); }
ON_DEVICE float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
ON_DEVICE double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
ON_DEVICE float smaller(float a, float b) { return fminf(a, b); }
ON_DEVICE float larger(float a, float b) { return fmaxf(a, b); }
ON_DEVICE float root(float x) { return __fsqrt_rn(x); }
}  // namespace semblance::gpu
#else  // clang, without a CUDA toolkit
#define SEMBLANCE_GLOBAL(...) \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(__VA_ARGS__))) void
#define ON_DEVICE inline __attribute__((device)) __attribute__((always_inline))
#define SHARED(Type, name, ...) alignas(16) static __attribute__((shared)) Type name __VA_ARGS__
namespace semblance::gpu {
ON_DEVICE unsigned thread_number() { return __nvvm_read_ptx_sreg_tid_x(); }
ON_DEVICE unsigned block_column() { return __nvvm_read_ptx_sreg_ctaid_x(); }
ON_DEVICE unsigned block_row() { return __nvvm_read_ptx_sreg_ctaid_y(); }
ON_DEVICE void wait_for_block() { __syncthreads(); }
ON_DEVICE float fused(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
ON_DEVICE double fused(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
ON_DEVICE float smaller(float a, float b) { return __nvvm_fmin_f(a, b); }
ON_DEVICE float larger(float a, float b) { return __nvvm_fmax_f(a, b); }
ON_DEVICE float root(float x) { return __nvvm_sqrt_rn_f(x); }
}  // namespace semblance::gpu
#endif

#define KERNEL(name, Argument, ...) SEMBLANCE_GLOBAL(__VA_ARGS__) name(const Argument given)
#define UNROLLED _Pragma("unroll")
#define UNROLLED_BY_4 _Pragma("unroll 4")
#define PRIVATE(Type, name, threads) Type name
#define MINE(name) name
#define EACH_THREAD(threads)                                                       \
  for (unsigned thread = ::semblance::gpu::thread_number(), begun = 0; begun == 0; \
       ++begun, ::semblance::gpu::wait_for_block())

#else  // the CPU

#include <cmath>

#define KERNEL(name, Argument, ...) inline void name(const Argument& given)
#define ON_DEVICE inline
#define UNROLLED
#define UNROLLED_BY_4
#define SHARED(Type, name, ...) alignas(16) static thread_local Type name __VA_ARGS__
#define PRIVATE(Type, name, threads) static thread_local Type name[threads]
#define MINE(name) name[thread]
#define EACH_THREAD(threads) for (unsigned thread = 0; thread < (threads); ++thread)

namespace semblance::gpu {

inline thread_local unsigned model_block_column = 0, model_block_row = 0;
inline unsigned block_column() { return model_block_column; }
inline unsigned block_row() { return model_block_row; }
inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
inline double fused(double a, double b, double c) { return std::fma(a, b, c); }
/// The number, if one is NaN; of both zeros, -0 is the smaller.
inline float smaller(float a, float b) {
  if (a == b) return std::signbit(a) ? a : b;
  return a < b || std::isnan(b) ? a : b;
}
/// The number, if one is NaN; 0, not -0, of both.
inline float larger(float a, float b) {
  if (a == b) return std::signbit(a) ? b : a;
  return a > b || std::isnan(b) ? a : b;
}
inline float root(float x) { return std::sqrt(x); }

}  // namespace semblance::gpu

#endif

namespace semblance::gpu {

/// Four values that are moved together, 16 bytes aligned.
#if defined(__CUDACC__)  // has no vector types
struct alignas(16) Four {
  float of[4];
  ON_DEVICE float& operator[](unsigned k) { return of[k]; }
  ON_DEVICE float operator[](unsigned k) const { return of[k]; }
};
#else
using Four = float __attribute__((vector_size(16)));
#endif

ON_DEVICE float bits_as_float(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

/// exp(x) with an error of at most 2 units in the last place; NaN for NaN.
ON_DEVICE float exponential(float x) {
  if (x < -104.0F) return 0;
  if (x > 88.8F) return bits_as_float(0x7f800000U);
  constexpr float to_integer = 12582912;  // 1.5 * 2^23: sums are rounded to integers
  const float n = (x * 1.44269504F + to_integer) - to_integer;
  const float r = fused(n, -1.42860677e-6F, fused(n, -0.693145752F, x));
  float p = 1.0F / 5040;
  p = fused(p, r, 1.0F / 720);
  p = fused(p, r, 1.0F / 120);
  p = fused(p, r, 1.0F / 24);
  p = fused(p, r, 1.0F / 6);
  p = fused(p, r, 0.5F);
  p = fused(p, r, 1.0F);
  p = fused(p, r, 1.0F);
  if (!(x == x)) return x;
  // In two steps, since 2^n may be below the normal numbers.
  const int whole = static_cast<int>(n), half = whole / 2;
  const auto power = [](int e) { return bits_as_float(static_cast<unsigned>(e + 127) << 23); };
  return p * power(half) * power(whole - half);
}

}  // namespace semblance::gpu
