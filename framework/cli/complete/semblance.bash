# SPDX-License-Identifier: MIT
# Completion for bash: the program itself says what the word before the cursor may become.

# Paths that begin with $1 and have one of the endings in $2; any files where there are none.
_semblance_files() {
  local ending
  for ending in $2; do compgen -f -X "!*$ending" -- "$1"; done
  [[ -z $2 ]] || compgen -d -- "$1"
}

_semblance() {
  local rest=${COMP_LINE:0:COMP_POINT} words=() word i
  # Bash splits words at '=' and ':' as well: parts without a blank between them are one word.
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    if ((i == 0)) || [[ $rest == [[:blank:]]* ]]; then
      words+=("")
      rest=${rest#"${rest%%[![:blank:]]*}"}
    fi
    word=${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || word=$rest
    rest=${rest#"$word"}
    words[-1]+=${word//[\"\'\\]/}
  done

  # Readline replaces only what follows the last of its breaks.
  local current=${words[-1]} breaks=${COMP_WORDBREAKS//[^=:]/} before=
  [[ -z $breaks || $current != *["$breaks"]* ]] || before=${current%"${current##*["$breaks"]}"}

  local line prefix path
  COMPREPLY=()
  while IFS= read -r line; do
    prefix=${line#*$'\t'}
    case $line in
      :files*)
        path=${current#"${prefix%%$'\t'*}"}
        mapfile -t COMPREPLY < <(_semblance_files "$path" "${prefix#*$'\t'}")
        ((${#COMPREPLY[@]})) || mapfile -t COMPREPLY < <(compgen -f -- "$path")
        compopt -o filenames 2>/dev/null
        ;;
      :folders*)
        mapfile -t COMPREPLY < <(compgen -d -- "${current#"$prefix"}")
        compopt -o filenames 2>/dev/null
        ;;
      *)
        line=${line%%$'\t'*}
        COMPREPLY+=("${line#"$before"}")
        ;;
    esac
  done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[=./] ]] || compopt -o nospace 2>/dev/null
}

complete -F _semblance semblance
