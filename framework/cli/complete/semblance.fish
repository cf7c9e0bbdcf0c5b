# SPDX-License-Identifier: MIT
# Completion for fish: the program itself says what the word before the cursor may become.
function __semblance_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    for line in ($program complete -- $words[2..] $current 2>/dev/null)
        set -l fields (string split \t -- $line)
        switch $line
            case ':files*' ':folders*'
                set -l path (string sub -s (math (string length -- "$fields[2]") + 1) -- "$current")
                set -l endings (string split -n ' ' -- "$fields[3]")
                for found in (__fish_complete_path "$path")
                    set -l name (string split \t -- $found)[1]
                    if string match -q '*/' -- $name
                        or begin
                            test $fields[1] = :files
                            and string match -q -- "*"$endings $name
                            or test $fields[1] = :files -a -z "$fields[3]"
                        end
                        echo $fields[2]$name
                    end
                end
            case '*'
                echo $line
        end
    end
end

complete -c semblance -f -a '(__semblance_complete)'
