# SPDX-License-Identifier: MIT
# A target KIND.NAME for each component, which builds its plugin: for the launcher, which builds what a pipeline uses
# before any program could tell it where a component is. A component's declaration in the sources begins with its id
# and a sentence.
foreach(plugin ${SEMBLANCE_PLUGINS})
  get_target_property(sources ${plugin}_objects SOURCES)
  get_target_property(folder ${plugin}_objects SOURCE_DIR)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    file(READ ${source} text)
    string(REGEX MATCHALL "\"[a-z_]+/[a-z0-9_]+\",[ \n]*\"" declared "${text}")
    foreach(match ${declared})
      string(REGEX REPLACE "^\"([a-z_]+)/([a-z0-9_]+).*" "\\1.\\2" component "${match}")
      add_custom_target(${component} DEPENDS ${plugin})
    endforeach()
  endforeach()
endforeach()
