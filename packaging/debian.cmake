# SPDX-License-Identifier: MIT
# `cpack` makes Debian packages: semblance, semblance-dev, semblance-molecules if RDKit is there, and python3-semblance
# if the Python package is built. Dependencies are derived from the libraries; the licences and the changelog are where
# Debian's policy has them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME semblance)
set(CPACK_PACKAGE_CONTACT "The Semblance developers <semblance@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/compress_manual.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL semblance development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(folder ${PROJECT_BINARY_DIR}/debian)
file(MAKE_DIRECTORY ${folder})
set(this_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

set(CPACK_DEBIAN_SEMBLANCE_PACKAGE_NAME semblance)
set(CPACK_DEBIAN_SEMBLANCE_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SEMBLANCE_DESCRIPTION "large-margin learning with similarity measures
A pipeline is one YAML file that names components (sources, features,
similarities, solvers, evaluators) and says what feeds what. The program
checks it, streams data through it, stores what it computes, and leaves a
model, figures and a report. Samples are vectors, texts, images, time series,
strings, sets of points, graphs or pairs; included are Basis Expanding SVM,
ML3 and pairwise SVM, and the machines that they are compared with.")
set(CPACK_DEBIAN_SEMBLANCE_PACKAGE_CONTROL_EXTRA ${folder}/shlibs ${folder}/triggers)
# `export c` proves its program with a compiler; --mpi starts under mpirun.
set(CPACK_DEBIAN_SEMBLANCE_PACKAGE_SUGGESTS
  "gcc, openmpi-bin, python3-semblance, semblance-dev, semblance-molecules")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME semblance-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "plugins for Semblance: headers, CMake files, templates
With it, `semblance new-plugin` writes a component of one's own (a similarity,
a solver, a source, ...), and CMake builds it with its tests. The kernels of
the shipped components are there as well.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "semblance (= ${this_version}), cmake, doctest-dev, g++, \
libhwy-dev, libopenblas-dev, ninja-build")

if(TARGET semblance_molecules)
  list(APPEND CPACK_COMPONENTS_ALL molecules)
  set(CPACK_DEBIAN_MOLECULES_PACKAGE_NAME semblance-molecules)
  set(CPACK_DEBIAN_MOLECULES_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MOLECULES_DESCRIPTION "molecules for Semblance: SMILES and SDF as fingerprints
The source of samples that reads molecules with RDKit and gives Morgan, MACCS
and path fingerprints, for Tanimoto kernels and other measures.")
  set(CPACK_DEBIAN_MOLECULES_PACKAGE_DEPENDS "semblance (= ${this_version})")
endif()

if(TARGET semblance_python)
  include(${PROJECT_SOURCE_DIR}/framework/python/packaging/debian.cmake)
endif()

# Policy 12.5 and 12.7, for each package; a full `cmake --install` has the first one only.
file(WRITE ${folder}/shlibs "libsemblance_sdk ${PROJECT_VERSION_MAJOR} semblance (= ${this_version})\n")
file(WRITE ${folder}/triggers "activate-noawait ldconfig\n")
find_program(SEMBLANCE_GZIP gzip)
file(READ ${PROJECT_SOURCE_DIR}/CHANGELOG.md changes)
string(REGEX MATCH "\n## ${PROJECT_VERSION} \\(([0-9-]+)\\)" released "${changes}")
execute_process(COMMAND date -u -R -d "${CMAKE_MATCH_1}" OUTPUT_VARIABLE date
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(WRITE ${folder}/changelog.Debian "semblance (${this_version}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; changelog.gz has what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(COPY_FILE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${folder}/changelog)
foreach(name changelog changelog.Debian)
  execute_process(COMMAND ${SEMBLANCE_GZIP} -9nf ${folder}/${name})
endforeach()
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/semblance)
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright ${folder}/changelog.gz ${folder}/changelog.Debian.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/lintian/${package}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
