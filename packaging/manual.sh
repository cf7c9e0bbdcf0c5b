#!/bin/sh
# SPDX-License-Identifier: MIT
# manual.sh PROGRAM VERSION FOLDER: a manual page for the program and for each of its commands, by help2man.
set -eu
mkdir -p "$3"
page() { # NAME SUMMARY COMMAND
  help2man --no-info --version-string="$version" --name="$2" --output="$folder/$1.1" "$3"
  sed -i "2s/^\.TH [^\"]*/.TH $(echo "$1" | tr a-z A-Z) /; 4s/^semblance[a-z -]* /$1 /" "$folder/$1.1"
  sed -n 4p "$folder/$1.1" | grep -q "^$1 "  # apropos and lintian read this line
}
program=$1 version=$2 folder=$3
page semblance 'large-margin learning with similarity measures' "$program"
"$program" --help | sed -nE 's/^  ([a-z-]+)  +(.*)/\1 \2/p' | while read -r verb summary; do
  case $summary in *'in a source tree'*) continue ;; esac
  page "semblance-$verb" "$summary" "$program $verb"
done
