# SPDX-License-Identifier: MIT
# Makes the Debian package, unpacks it and runs the program in it.
find_program(shlibdeps dpkg-shlibdeps NO_CACHE)
find_program(dpkg_deb dpkg-deb NO_CACHE)
if(NOT shlibdeps OR NOT dpkg_deb)
  message("skipped: there are no tools for Debian packages (dpkg-dev)")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${CPACK} --config ${BUILD}/CPackConfig.cmake -B ${WORK}
                WORKING_DIRECTORY ${BUILD} OUTPUT_VARIABLE output ERROR_VARIABLE output
                RESULT_VARIABLE result)
file(GLOB package ${WORK}/*.deb)
if(NOT result EQUAL 0 OR NOT package)
  message(FATAL_ERROR "no package was made:\n${output}")
endif()

execute_process(COMMAND ${dpkg_deb} -f ${package} Depends OUTPUT_VARIABLE needs)
foreach(library libtbb12 libyaml-cpp libstdc.. libarchive13)
  if(NOT needs MATCHES "${library}")
    message(FATAL_ERROR "the package does not depend on ${library}, but on: ${needs}")
  endif()
endforeach()
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
foreach(file share/doc/semblance/copyright lib/cmake/Semblance/SemblanceConfigVersion.cmake
             include/semblance/plugin.hpp include/semblance_numerics/product.hpp
             lib/libsemblance_numerics.a share/semblance/templates/similarity/pipeline.yaml
             share/semblance/pipelines/suggest/sources.json
             share/doc/semblance/README.md share/doc/semblance/reference/similarity/rbf.md)
  if(NOT EXISTS ${usr}/${file})
    message(FATAL_ERROR "the package lacks ${file}")
  endif()
endforeach()
