# SPDX-License-Identifier: MIT
# `cmake --install` and the Debian package python3-semblance: the module, and the files of the package
# as they are importable in the build folder. Plugins and share/semblance are those of the program.
set(SEMBLANCE_PYTHON_FOLDER "" CACHE STRING
  "Where the Python package is installed below the prefix; empty: where Debian's Python looks")

set(python_version ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR})
set_property(GLOBAL PROPERTY SEMBLANCE_PYTHON_VERSION ${python_version})
set_property(GLOBAL PROPERTY SEMBLANCE_PYTHON_INTERPRETER ${Python_EXECUTABLE})

# Debian's Python looks in /usr/lib/python3, and for what is not Debian's in /usr/local/lib/python3.11.
install(CODE "
  set(semblance_python_folder \"${SEMBLANCE_PYTHON_FOLDER}\")
  if(semblance_python_folder STREQUAL \"\" AND CMAKE_INSTALL_PREFIX STREQUAL \"/usr/local\")
    set(semblance_python_folder
        lib/python${python_version}/dist-packages)
  elseif(semblance_python_folder STREQUAL \"\")
    set(semblance_python_folder lib/python3/dist-packages)
  endif()
  # CMake makes the folder of a module also where there is no module to put there.
  set(semblance_module_folder ${CMAKE_INSTALL_LIBDIR})
  if(EXISTS \"$<TARGET_FILE:semblance_python>\")
    set(semblance_module_folder \${semblance_python_folder}/semblance)
  endif()" COMPONENT python)
# The launcher builds it only when Python is asked for; a program without it is installed as well.
install(TARGETS semblance_python LIBRARY OPTIONAL COMPONENT python
  DESTINATION \${semblance_module_folder})
# What the program loads when a plugin is written in Python.
if(TARGET semblance_python_door)
  install(TARGETS semblance_python_door LIBRARY OPTIONAL COMPONENT python
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/semblance/doors)
endif()
install(CODE "
  set(package \"${PROJECT_BINARY_DIR}/python/semblance\")
  if(EXISTS \"$<TARGET_FILE:semblance_python>\")
    file(GLOB_RECURSE files RELATIVE \${package} FOLLOW_SYMLINKS
         \${package}/*.py \${package}/*.pyi \${package}/py.typed)
  else()
    message(STATUS \"The Python package is not built (target 'python'): it is not installed\")
  endif()
  foreach(file IN LISTS files)
    get_filename_component(folder \${file} DIRECTORY)
    file(REAL_PATH \${package}/\${file} source)
    file(INSTALL \${source} TYPE FILE DESTINATION
         \${CMAKE_INSTALL_PREFIX}/\${semblance_python_folder}/semblance/\${folder})
  endforeach()" COMPONENT python)

set_target_properties(semblance_python PROPERTIES
  # In lib/python3/dist-packages/semblance, and in a wheel, whose package is a prefix.
  INSTALL_RPATH "$ORIGIN/../../..;$ORIGIN/lib")
