# SPDX-License-Identifier: MIT
"""Every program that scripts, tests and the documentation start is in a package of packages.txt, in
one that these depend on, or in Debian's minimal system: a fresh machine has no other.

It looks for the programs where they are started, and here for the packages that bring them: its verdict
does not depend on what is installed. `run` tries on fresh machines whether that is true."""
import re
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "tests" / "docs"))
import snippets  # noqa: E402

# Programs that a fresh machine may lack, and why that is no fault.
OPTIONAL = {
    "ccache": "used where it is present",
    "mmdebstrap": "makes the fresh systems themselves; tests/fresh/run says so where it is missing",
    "node": "runs exported ONNX files where onnxruntime-node is; skipped otherwise",
    "npm": "installs onnxruntime-node, which is not Debian's",
    "nvcc": "not called by tests",
    "patchelf": "makes the tarball and the wheel; the target 'packages' says so where it is missing",
    "pip": "of the reader's own virtual environment, to install a wheel",
    "sudo": "only for users who are not root, with a message where it is missing",
    "munged": "Slurm's; the tests skip without it", "mungekey": "Slurm's; the tests skip without it",
    "slurmctld": "Slurm's; the tests skip without it",
    "slurmd": "Slurm's; the tests skip without it", "srun": "Slurm's; the tests skip without it",
    "sbatch": "Slurm's; the tests skip without it", "scancel": "Slurm's; the tests skip without it",
    "sacct": "Slurm's; the tests skip without it", "squeue": "Slurm's; the tests skip without it",
    "sinfo": "Slurm's; the tests skip without it", "scontrol": "Slurm's; the tests skip without it",
}
# What a shell brings itself, and what stands in its place in the commands of pages.
OF_SHELL = set("""alias break case cd command continue do done elif else esac eval exec exit export fi for function
    if in local read return set shift source test then trap type ulimit umask unset until wait while""".split())
# Those of Debian's minimal system.
MINIMAL = set("""apt-get awk bash cat chmod cksum cmp comm cp cut date dd df diff dirname dpkg dpkg-query echo env false
    find flock fold grep gzip head hostname id join kill ldd ln ls mkdir mkfifo mktemp mount mv nproc paste printf pwd
    readlink realpath rm rmdir sed seq setpriv sh sleep sort stat tail tar tee timeout touch tr true truncate uname uniq
    unshare wc xargs yes""".split())
# The others: the package of packages.txt that brings each, or needs what brings it.
BROUGHT = {"cc": "g++", "chromium": "chromium", "clang": "clang", "clang++": "clang", "clang-format": "clang-format",
           "clang-tidy": "clang-tidy", "cmake": "cmake", "ctest": "cmake", "cpack": "cmake", "curl": "curl",
           "dpkg-deb": "dpkg-dev", "dpkg-shlibdeps": "dpkg-dev", "file": "file", "g++": "g++", "gcc": "g++",
           "git": "git", "help2man": "help2man", "liblinear-predict": "liblinear-tools", "liblinear-train": "liblinear-tools",
           "make": "cmake", "mpirun": "openmpi-bin", "ninja": "ninja-build", "nm": "g++", "python3": "python3-dev",
           "svm-predict": "libsvm-tools", "svm-train": "libsvm-tools", "xz": "xz-utils"}
# What is built here, or stands for it; Python of the reader's own environment; a function of packages.sh.
BUILT = re.compile(r"\w+_test|semblance|template_program|python|try_packages")
NAME = r"[a-z][a-z0-9_.+-]*"
# Where a command begins in a shell text: a line, after an operator, in a substitution, or after a
# word that a command follows.
COMMAND = re.compile(
    rf"(?:^|[|;&(`{{]|\b(?:if|then|else|elif|do|while|until|exec|xargs(?: -\S+)*|timeout \S+|nice -n \S+|command -v|nohup)\s|!\s)"
    rf"\s*(?:[A-Z_]+=\S*\s+)*({NAME})(?=[\s;)|&\"'`]|$)", re.M)


def without_comments(text):
    return re.sub(r"(^|\s)#.*", r"\1", text)


# Texts in quotes but for scripts of a shell; documents.
QUOTED = re.compile(
    r"""(?<!sh -c )(?<![\w\\])(?:'[^']*'|"(?:[^"\\$]|\\.|\$\((?:[^()]|\([^()]*\))*\)|\$)*")|"""
    r"""<<-?\s*['"]?(\w+)['"]?\n(?:.*\n)*?\s*\1$""", re.M)
SUBSTITUTION = re.compile(r"\$\((?:[^()]|\([^()]*\))*\)")
# Sums, lists, and the patterns of `case`.
NO_COMMANDS = re.compile(
    r"\$?\(\(.*?\)\)|=\([^()]*\)|(?:^|;;|\bin)\s*(?:''|[\w*.-]+)(?:\s*\|\s*(?:''|[\w*.-]+))*\)", re.M)


def of_shell(text):
    """Comments and functions of its own left out."""
    text = without_comments(text)
    own = set(re.findall(rf"^\s*({NAME})\s*\(\)", text, re.M))
    text = QUOTED.sub(lambda quoted: "'" + " ".join(SUBSTITUTION.findall(quoted[0])) + "'", text)
    text = NO_COMMANDS.sub("=''", text)
    found = set(COMMAND.findall(text)) - own
    # CMake's default is to write files for make.
    if any(" -S " in line and " -G " not in line for line in re.findall(r"\bcmake .*", text)):
        found.add("make")
    return found


def of_cpp(text):
    """What is given to a shell: string literals, joined where they follow each other."""
    found = set()
    literal = r'"(?:[^"\\]|\\.)*"'
    for call in re.finditer(rf"(?:\bshell|\bsystem|\bpopen)\(\s*((?:{literal}\s*(?:\+\s*)?)+)", text):
        joined = "".join(part[1:-1] for part in re.findall(literal, call[1]))
        found |= of_shell(joined.replace("\\n", "\n").replace('\\"', '"'))
    return found


def of_python(text):
    call = rf"(?:subprocess\.\w+|\bwhich|os\.system)\(\s*\[?\s*f?[\"']({NAME})"
    return set(re.findall(call, text))


def of_cmake(text):
    text = without_comments(text)
    found = set(re.findall(rf"\bCOMMAND\s+({NAME})\b", text))
    for names in re.findall(r"find_program\(\w+ (?:NAMES )?((?:[a-z][\w.+-]*\s*)+)", text):
        found |= set(names.split())
    return found


def of_page(file):
    return set().union(*(of_shell(block.text) for block in snippets.read(file).blocks
                         if block.language == "sh"), set())


def of_transcript(text):
    """The commands of a file *.test, each with the indented lines below it."""
    return of_shell("".join(block.replace("\n  ", "\n") for block in re.findall(r"^\$ (.*\n(?:  .*\n)*)", text, re.M)))


def of_file(file):
    if file.suffix == ".md":
        return of_page(file)
    if file.suffix in (".cpp", ".hpp"):
        return of_cpp(file.read_text(encoding="utf-8"))
    if file.suffix == ".cmake" or file.name == "CMakeLists.txt":
        return of_cmake(file.read_text(encoding="utf-8"))
    if file.suffix == ".test":
        return of_transcript(file.read_text(encoding="utf-8"))
    if file.suffix == ".py":
        return of_python(file.read_text(encoding="utf-8"))
    if file.suffix in ("", ".sh"):
        with open(file, "rb") as opened:
            first = opened.readline()
        if b"python" in first:
            return of_python(file.read_text(encoding="utf-8"))
        if first.startswith(b"#!") and b"sh" in first:
            return of_shell(file.read_text(encoding="utf-8"))
    return set()


def started(tree):
    """{program: files that start it}"""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split("\0")
    found = {}
    for name in filter(None, listed):
        file = tree / name
        if file.is_file() and (name.startswith(("tests/", "docs/", "sdk/", ".ci/", "packaging/", "pipelines/"))
                               or "/" not in name or name.endswith(("CMakeLists.txt", "_test.cpp"))):
            for program in of_file(file):
                found.setdefault(program, []).append(name)
    return found


def problems(found, listed):
    """[message] for {program: files that start it}, where packages.txt has these packages."""
    own = OF_SHELL | MINIMAL | set(OPTIONAL)
    unknown = "is it a program? Then add its package to BROUGHT in tests/fresh/programs.py, else quote it"
    return [f"{files[0]}: starts '{program}', " +
            (f"whose package '{BROUGHT[program]}' is not in packages.txt; add it there, or do without the program"
             if program in BROUGHT else unknown)
            for program, files in sorted(found.items())
            if program not in own and not BUILT.fullmatch(program) and BROUGHT.get(program) not in listed]


def main():
    listed = [line for line in (TREE / "packages.txt").read_text(encoding="utf-8").split("\n")
              if line and not line.startswith("#")]
    found = problems(started(TREE), listed)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
