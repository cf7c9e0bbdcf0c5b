# SPDX-License-Identifier: MIT
# Completion for bash: commands and options from the program's help; other words are files.
_semblance() {
  local program=$1 words=
  COMPREPLY=()
  # In a source tree: the launcher would build first.
  [[ ! -x ${program%/*}/build/release/bin/semblance ]] || program=${program%/*}/build/release/bin/semblance
  if ((COMP_CWORD == 1)); then
    words=$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z-]+) .*/\1/p')
  elif [[ $2 == -* ]]; then
    words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | sed -nE 's/^  (-h \[ )?(--[a-z-]+).*/\2/p')
  else
    compopt -o default 2>/dev/null
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}

complete -F _semblance semblance
