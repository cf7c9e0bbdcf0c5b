# SPDX-License-Identifier: MIT
# The shipped plugins go where the program looks for them; `cpack` makes a Debian package.
install(TARGETS ${SEMBLANCE_PLUGINS} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/semblance/plugins)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME semblance)
set(CPACK_PACKAGE_CONTACT "The Semblance developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# What it needs is read off its libraries.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, doctest-dev")
include(CPack)
