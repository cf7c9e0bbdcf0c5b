# SPDX-License-Identifier: MIT
# The files for find_package(Semblance), in the installed tree and in the build folder, which have
# the same structure: bin, lib, lib/semblance/plugins, lib/cmake/Semblance, share/semblance.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Semblance)
set(build_package ${PROJECT_BINARY_DIR}/lib/cmake/Semblance)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/SemblanceConfig.cmake.in
  ${build_package}/SemblanceConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${build_package}/SemblanceConfigVersion.cmake COMPATIBILITY SameMajorVersion)
foreach(file SemblanceAddPlugin.cmake SemblanceDeviceProgram.cmake SemblanceOpenblas.cmake)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${file} ${build_package}/${file} COPYONLY)
endforeach()

# The component `development` is what authors of plugins need; `semblance` is all that the program needs.
install(TARGETS semblance_sdk EXPORT SemblanceTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT development)
# Separate, because it needs doctest.
install(TARGETS semblance_test_main EXPORT SemblanceTestTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# Separate, because it needs Highway and OpenBLAS.
install(TARGETS semblance_numerics EXPORT SemblanceNumericsTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
foreach(set SemblanceTargets SemblanceTestTargets SemblanceNumericsTargets)
  install(EXPORT ${set} NAMESPACE Semblance:: DESTINATION ${package_folder} COMPONENT development)
  export(EXPORT ${set} NAMESPACE Semblance:: FILE ${build_package}/${set}.cmake)
endforeach()
install(FILES ${build_package}/SemblanceConfig.cmake ${build_package}/SemblanceConfigVersion.cmake
              ${build_package}/SemblanceAddPlugin.cmake ${build_package}/SemblanceDeviceProgram.cmake ${build_package}/SemblanceOpenblas.cmake
  DESTINATION ${package_folder} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sdk/include/semblance
                  ${PROJECT_SOURCE_DIR}/sdk/numerics/include/semblance_numerics
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sdk/templates
  DESTINATION ${CMAKE_INSTALL_DATADIR}/semblance COMPONENT development)
# Without the programs that reproduce the papers, which belong to the source tree.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/pipelines DESTINATION ${CMAKE_INSTALL_DATADIR}/semblance
  PATTERN reproduce EXCLUDE PATTERN reproduction EXCLUDE PATTERN __pycache__ EXCLUDE)

# The program looks next to itself for the templates and for the pipelines that `suggest` tries.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/semblance)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/sdk/templates
  ${PROJECT_BINARY_DIR}/share/semblance/templates SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/pipelines
  ${PROJECT_BINARY_DIR}/share/semblance/pipelines SYMBOLIC)
