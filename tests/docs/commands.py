# SPDX-License-Identifier: MIT
"""Commands that are not run: whether they could be."""
import re
import shlex

PIPELINE_VERBS = {"run", "ablate", "check", "plan", "graph"}
PIPELINE_OPTIONS = {"--set", "--data", "--seed", "--plugin-path"}
LAUNCHER = {"python", "test"}  # what the launcher does itself
NO_VALUE = {"--json", "--quiet", "--no-cache", "--fail-fast", "--help"}


def split(text):
    """The simple commands of a shell text, as lists of words; without redirections and without
    assignments before them."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        command = []
        skip = False
        for word in words:
            if word in ("&&", "||", "|", ";"):
                found.append(command)
                command = []
            elif word in (">", "<", "2>"):
                skip = True
            elif skip:
                skip = False
            elif not command and re.fullmatch(r"[A-Za-z_]\w*=.*", word):
                continue
            else:
                command.append(word)
        found.append(command)
    return [command for command in found if command]


def is_placeholder(word):
    """FILE, DIR..., runs/A, MODEL: what the reader has to fill in."""
    return bool(re.search(r"(^|/)[A-Z][A-Z_]*\d*($|[/.])|\.\.\.|…|\*", word))


class Judge:
    def __init__(self, workplace, folder):
        self._workplace, self._folder = workplace, folder
        self._help = {}
        text = self._semblance("--help").stdout
        self.verbs = set(re.findall(r"^  ([a-z-]+) ", text, re.M)) | LAUNCHER

    def _semblance(self, *arguments):
        return self._workplace.run(["./semblance", *arguments], self._folder)

    def options(self, verb):
        if verb not in self._help:
            text = "" if verb in LAUNCHER else self._semblance(verb, "--help").stdout
            self._help[verb] = set(re.findall(r"(--[a-z][a-z-]*)", text)) | {"--help"}
        return self._help[verb]

    def all_options(self):
        return set().union(*(self.options(verb) for verb in self.verbs)) | {"--version"}

    def problem(self, command):
        """Why a command of the program cannot be right; None where nothing is found."""
        verb, words = command[1], command[2:]
        if verb.startswith("--"):
            return None if verb in ("--help", "--version") else f"there is no option {verb}"
        if verb not in self.verbs:
            return f"unknown command '{verb}'"
        if verb in LAUNCHER:
            return None
        for word in words:
            if word.startswith("--") and word != "--" and word.split("=")[0] not in self.options(verb):
                return f"'{verb}' has no option {word}"
        return self._wrong_pipeline(words) if verb in PIPELINE_VERBS else None

    def _wrong_pipeline(self, words):
        file, kept = None, []
        rest = iter(words)
        for word in rest:
            if word in NO_VALUE:
                continue
            if word.startswith("--"):
                value = next(rest, "")
                if word in PIPELINE_OPTIONS and not is_placeholder(value.split("=")[-1]):
                    kept += [word, value]
            elif file is None:
                file = word
        if file is None or is_placeholder(file):
            return None
        file = re.sub(r"^.*\bshare/semblance/", "", file)  # installed ones are those of the tree
        outcome = self._semblance("check", file, *kept)
        if outcome.returncode == 0:
            return None
        # The real data need not be here; everything else is reported in the same pass.
        errors = re.findall(r"error: (.*)", outcome.stdout)
        if errors and all(re.search(r"' does not exist( \(in .*)?$|^(at least )?\d+ files or "
                                    "folders do not exist: ",
                                    error) for error in errors):
            return None
        return outcome.stdout
