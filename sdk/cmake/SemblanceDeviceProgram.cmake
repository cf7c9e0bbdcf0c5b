# SPDX-License-Identifier: MIT
# semblance_add_device_program(TARGET FILE.cu)
#
# Compiles FILE.cu for NVIDIA GPUs, to PTX, which a GPU's driver translates for the GPU at hand, and
# puts it into TARGET as `extern const semblance::DeviceProgram FILE_program`. clang does it without
# a CUDA toolkit; else nvcc is used. Without both the program's `ptx` is null.
find_program(SEMBLANCE_DEVICE_CLANG clang)
find_program(SEMBLANCE_DEVICE_NVCC nvcc HINTS /usr/local/cuda/bin)

function(semblance_add_device_program target file)
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(source ${file} ABSOLUTE)
  set(ptx ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx)
  set(code ${CMAKE_CURRENT_BINARY_DIR}/${name}_program.cpp)
  # For Turing (2018) and whatever came later.
  if(SEMBLANCE_DEVICE_CLANG)
    set(compile ${SEMBLANCE_DEVICE_CLANG} -x cuda --cuda-device-only -nocudainc -nocudalib
                --cuda-gpu-arch=sm_75 -Wno-unknown-cuda-version -S -ffp-contract=off)
  elseif(SEMBLANCE_DEVICE_NVCC)
    set(compile ${SEMBLANCE_DEVICE_NVCC} -ptx -arch=compute_75 --fmad=false)
  endif()
  if(compile)
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
    add_custom_command(
      OUTPUT ${ptx}
      COMMAND ${compile} -std=c++20 -O3 -I ${CMAKE_CURRENT_SOURCE_DIR} -o ${ptx} ${source}
      DEPENDS ${source} ${headers}
      COMMENT "Compiling ${name} for GPUs" VERBATIM)
    file(CONFIGURE OUTPUT ${code} @ONLY CONTENT [[
// Made by CMake: the text of the program, as it is in the file.
#include "semblance/device.hpp"
__asm__(".section .rodata\n@name@_ptx:\n.incbin \"@ptx@\"\n.byte 0\n.previous\n");
extern "C" __attribute__((visibility("hidden"))) const char @name@_ptx[];
extern const semblance::DeviceProgram @name@_program;
const semblance::DeviceProgram @name@_program = {@name@_ptx};
]])
    set_source_files_properties(${code} PROPERTIES OBJECT_DEPENDS ${ptx})
  else()
    file(CONFIGURE OUTPUT ${code} @ONLY CONTENT [[
// Made by CMake: there was no compiler for GPUs.
#include "semblance/device.hpp"
extern const semblance::DeviceProgram @name@_program;
const semblance::DeviceProgram @name@_program = {};
]])
  endif()
  set_source_files_properties(${code} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${code})
endfunction()
