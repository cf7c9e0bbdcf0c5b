# SPDX-License-Identifier: MIT
# Finds MPI's C interface where all of it is: sets MPI_C_FOUND. Debian's openmpi-bin brings a compiler without
# its headers, on which FindMPI ends in an error; and FindMPI keeps what it could not find.
get_cmake_property(kept CACHE_VARIABLES)
list(FILTER kept INCLUDE REGEX "^MPI_")
list(REMOVE_ITEM kept MPI_HOME MPI_C_COMPILER)
foreach(variable IN LISTS kept)
  if("${${variable}}" MATCHES "NOTFOUND$")
    set(anew TRUE)
  endif()
endforeach()
if(anew)
  foreach(variable IN LISTS kept)
    unset(${variable} CACHE)
  endforeach()
endif()

find_program(MPI_C_COMPILER NAMES mpicc HINTS ${MPI_HOME} ENV MPI_HOME PATH_SUFFIXES bin)
set(lacking 0)
if(MPI_C_COMPILER)
  execute_process(COMMAND ${MPI_C_COMPILER} -E -x c -include mpi.h /dev/null
    RESULT_VARIABLE lacking OUTPUT_QUIET ERROR_QUIET)
endif()
if(lacking EQUAL 0)
  find_package(MPI COMPONENTS C QUIET)
else()
  set(MPI_C_FOUND FALSE)
endif()
