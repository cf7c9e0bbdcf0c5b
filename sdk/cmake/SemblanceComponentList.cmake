# SPDX-License-Identifier: MIT
# Writes components.txt, from which the launcher learns what a pipeline's components need: lines
# `ID PLUGIN`, and `PLUGIN ID` for what the plugin's parameters have as default. The sources say it
# before anything is built.
set(lines)
foreach(plugin ${SEMBLANCE_PLUGINS})
  get_target_property(sources ${plugin}_objects SOURCES)
  get_target_property(folder ${plugin}_objects SOURCE_DIR)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    file(READ ${source} text)
    # A declaration begins with its id and a sentence.
    string(REGEX MATCHALL "\"[a-z_]+/[a-z0-9_]+\",[ \n]*\"" declared "${text}")
    foreach(match ${declared})
      string(REGEX REPLACE "^\"([a-z0-9_/]+).*" "\\1 ${plugin}" line "${match}")
      list(APPEND lines "${line}")
    endforeach()
    string(REGEX MATCHALL "default_component\\([ \n]*\"[a-z_]+/[a-z0-9_]+" defaults "${text}")
    foreach(match ${defaults})
      string(REGEX REPLACE ".*\"" "${plugin} " line "${match}")
      list(APPEND lines "${line}")
    endforeach()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES lines)
list(JOIN lines "\n" text)
file(CONFIGURE OUTPUT components.txt CONTENT "${text}\n" @ONLY)
