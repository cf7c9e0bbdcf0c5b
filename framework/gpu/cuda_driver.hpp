// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace semblance::gpu {

/// @name Types of the CUDA driver's interface (cuda.h), which is not needed to build
/// @{
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
enum CUresult : int { cuda_success = 0, cuda_out_of_memory = 2 };
enum : int { cuda_jit_error_log = 5, cuda_jit_error_log_bytes = 6 };
enum : int { cuda_major = 75, cuda_minor = 76 };
enum : unsigned { cuda_stream_non_blocking = 1, cuda_event_without_timing = 2 };
/// @}

/// The functions of libcuda.so.1, which comes with the driver. It is opened at run time.
struct CudaDriver {
  CUresult (*init)(unsigned flags);
  CUresult (*version)(int* version);
  CUresult (*error_name)(CUresult, const char**);
  CUresult (*error_text)(CUresult, const char**);
  CUresult (*device_count)(int*);
  CUresult (*device)(CUdevice*, int ordinal);
  CUresult (*device_name)(char*, int length, CUdevice);
  CUresult (*device_memory)(std::size_t*, CUdevice);
  CUresult (*device_attribute)(int*, int attribute, CUdevice);
  CUresult (*retain_context)(CUcontext*, CUdevice);
  CUresult (*set_context)(CUcontext);
  CUresult (*memory_info)(std::size_t* free, std::size_t* total);
  CUresult (*allocate)(CUdeviceptr*, std::size_t);
  CUresult (*free)(CUdeviceptr);
  CUresult (*allocate_pinned)(void**, std::size_t);
  CUresult (*free_pinned)(void*);
  CUresult (*to_device)(CUdeviceptr, const void*, std::size_t, CUstream);
  CUresult (*from_device)(void*, CUdeviceptr, std::size_t, CUstream);
  CUresult (*create_stream)(CUstream*, unsigned flags);
  CUresult (*destroy_stream)(CUstream);
  CUresult (*wait_for_stream)(CUstream);
  CUresult (*create_event)(CUevent*, unsigned flags);
  CUresult (*destroy_event)(CUevent);
  CUresult (*record_event)(CUevent, CUstream);
  CUresult (*wait_for_event)(CUevent);
  CUresult (*load_module)(CUmodule*, const void*, unsigned options, int*, void**);
  CUresult (*get_function)(CUfunction*, CUmodule, const char*);
  CUresult (*launch)(CUfunction, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                     unsigned bz, unsigned shared_bytes, CUstream, void** arguments, void** extra);

  /// Throws Error if the driver is not there or lacks a function.
  static CudaDriver open();
};

}  // namespace semblance::gpu
