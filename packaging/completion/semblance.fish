# SPDX-License-Identifier: MIT
# Completion for fish: commands and options from the program's help; other words are files.
complete -c semblance -n __fish_use_subcommand -f -a '(semblance --help | string replace -rf "^  ([a-z-]+) .*" "\$1")'
complete -c semblance -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' \
    -a '(semblance (commandline -opc)[2] --help | string replace -rf -- "^  (-h \[ )?(--[a-z-]+).*" "\$2")'
