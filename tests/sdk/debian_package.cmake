# SPDX-License-Identifier: MIT
# Makes the Debian packages, unpacks them, runs the program in them and imports the Python package.
find_program(shlibdeps dpkg-shlibdeps NO_CACHE)
find_program(dpkg_deb dpkg-deb NO_CACHE)
if(NOT shlibdeps OR NOT dpkg_deb)
  message("skipped: there are no tools for Debian packages (dpkg-dev)")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
# gzip: half of the time went into xz.
execute_process(COMMAND ${CPACK} --config ${BUILD}/CPackConfig.cmake -B ${WORK} -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
                WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE output ERROR_VARIABLE output
                RESULT_VARIABLE result)
file(GLOB package ${WORK}/semblance_*.deb)
if(NOT result EQUAL 0 OR NOT package)
  message(FATAL_ERROR "no package was made:\n${output}")
endif()

execute_process(COMMAND ${dpkg_deb} -f ${package} Depends OUTPUT_VARIABLE needs)
foreach(library libtbb12 libyaml-cpp libstdc.. libarchive13)
  if(NOT needs MATCHES "${library}")
    message(FATAL_ERROR "the package does not depend on ${library}, but on: ${needs}")
  endif()
endforeach()
if(needs MATCHES "rdkit")
  message(FATAL_ERROR "the package depends on RDKit: ${needs}")
endif()
execute_process(COMMAND ${dpkg_deb} -c ${package} OUTPUT_VARIABLE files)
if(files MATCHES "dist-packages")
  message(FATAL_ERROR "the program's package has the Python package in it:\n${files}")
endif()
if(files MATCHES "usr/include|share/semblance/templates|[.]a\n")
  message(FATAL_ERROR "the program's package has what authors of plugins need in it:\n${files}")
endif()
execute_process(COMMAND ${dpkg_deb} -x ${package} ${WORK}/unpacked COMMAND_ERROR_IS_FATAL ANY)
set(ENV{SEMBLANCE_CACHE} ${WORK}/cache)
set(ENV{SEMBLANCE_PLUGIN_PATH} "")
set(usr ${WORK}/unpacked/usr)
execute_process(
  COMMAND ${usr}/bin/semblance check ${usr}/share/semblance/pipelines/quickstart.yaml
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the unpacked program ends with ${result}:\n${output}")
endif()
file(GLOB development ${WORK}/semblance-dev_*.deb)
execute_process(COMMAND ${dpkg_deb} -f ${development} Depends OUTPUT_VARIABLE needs)
foreach(library "semblance [(]= " cmake doctest-dev "g[+][+]" libhwy-dev libopenblas-dev ninja-build)
  if(NOT needs MATCHES "${library}")
    message(FATAL_ERROR "semblance-dev does not depend on ${library}, but on: ${needs}")
  endif()
endforeach()
execute_process(COMMAND ${dpkg_deb} -x ${development} ${WORK}/unpacked COMMAND_ERROR_IS_FATAL ANY)
foreach(file share/doc/semblance/copyright share/doc/semblance/changelog.Debian.gz
             share/doc/semblance-dev/copyright lib/libsemblance_sdk.so lib/cmake/Semblance/SemblanceConfigVersion.cmake
             include/semblance/plugin.hpp include/semblance_numerics/product.hpp
             lib/libsemblance_numerics.a share/semblance/templates/similarity/template_name.cpp
             share/semblance/pipelines/suggest/sources.json
             share/doc/semblance/README.md share/doc/semblance/reference/similarity/rbf.md)
  if(NOT EXISTS ${usr}/${file})
    message(FATAL_ERROR "the packages lack ${file}")
  endif()
endforeach()

file(GLOB molecules ${WORK}/semblance-molecules_*.deb)
if(molecules)
  execute_process(COMMAND ${dpkg_deb} -f ${molecules} Depends OUTPUT_VARIABLE needs)
  execute_process(COMMAND ${dpkg_deb} -c ${molecules} OUTPUT_VARIABLE files)
  if(NOT needs MATCHES "semblance [(]= " OR NOT needs MATCHES "librdkit1" OR
     NOT files MATCHES "plugins/libsemblance_molecules[.]so")
    message(FATAL_ERROR "semblance-molecules depends on ${needs} and has:\n${files}")
  endif()
endif()

file(GLOB python_package ${WORK}/python3-semblance_*.deb)
if(NOT PYTHON)
  if(python_package)
    message(FATAL_ERROR "there is a package ${python_package}, but nothing to put into it")
  endif()
  message("not tested: the Python package is not built")
  return()
endif()
execute_process(COMMAND ${dpkg_deb} -f ${python_package} Depends OUTPUT_VARIABLE needs)
foreach(package "semblance [(]= " python3-numpy "python3 [(]>= 3" "python3 [(]<< 3" "libstdc")
  if(NOT needs MATCHES "${package}")
    message(FATAL_ERROR "python3-semblance does not depend on ${package}, but on: ${needs}")
  endif()
endforeach()
execute_process(COMMAND ${dpkg_deb} -x ${python_package} ${WORK}/unpacked COMMAND_ERROR_IS_FATAL ANY)
set(ENV{PYTHONPATH} ${usr}/lib/python3/dist-packages)
execute_process(COMMAND ${PYTHON} -B ${EXAMPLE} ${usr}/lib/python3/dist-packages/semblance
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the Python package in it does not work:\n${output}")
endif()
foreach(file __init__.py py.typed)
  if(IS_SYMLINK ${usr}/lib/python3/dist-packages/semblance/${file} OR
     NOT EXISTS ${usr}/lib/python3/dist-packages/semblance/${file})
    message(FATAL_ERROR "python3-semblance lacks ${file}")
  endif()
endforeach()

# The program's door to Python is in the package of Python, and finds what it needs there.
file(WRITE ${WORK}/cauchy.py "
import semblance
@semblance.similarity('similarity/cauchy', width=semblance.number(1.0, above=0))
def cauchy(bases, samples, width):
    return 1 / (1 + ((samples[:, None] - bases[None]) ** 2).sum(2) / width ** 2)
")
unset(ENV{PYTHONPATH})
execute_process(
  COMMAND ${usr}/bin/semblance describe similarity/cauchy --plugin-path ${WORK}/cauchy.py
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT output MATCHES "width +number in")
  message(FATAL_ERROR "the unpacked program runs no component written in Python:\n${output}")
endif()
