# SPDX-License-Identifier: MIT
# of_the_day(VARIABLE DAYS ITEM...): sets a variable to the items whose turn is today; all have theirs within DAYS
# days. tests/sampled.py states the rule.
function(of_the_day variable days)
  string(TIMESTAMP number "%s" UTC)
  math(EXPR number "${number} / 86400")
  set(chosen)
  foreach(item ${ARGN})
    math(EXPR later "${number} % ${days}")
    math(EXPR number "${number} + 1")
    if(later EQUAL 0 OR "$ENV{SEMBLANCE_TESTS}" STREQUAL whole)
      list(APPEND chosen ${item})
    endif()
  endforeach()
  set(${variable} ${chosen} PARENT_SCOPE)
endfunction()
