# SPDX-License-Identifier: MIT
"""Every program that scripts, tests and the documentation start is in a package of packages.txt, in
one that these depend on, or in Debian's minimal system: a fresh machine has no other.

It looks for the programs where they are started, and asks dpkg which packages bring them."""
import functools
import re
import shutil
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
    "mandoc": "looks at the manual pages; the test says so where it is missing",
    "node": "runs exported ONNX files where onnxruntime-node is; skipped otherwise",
    "npm": "installs onnxruntime-node, which is not Debian's",
    "nvcc": "not called by tests",
    "patchelf": "makes the tarball and the wheel; the target 'packages' says so where it is missing",
    "pip": "of the reader's own virtual environment, to install a wheel",
    "sudo": "only for users who are not root, with a message where it is missing",
    "munged": "Slurm's; the tests skip without it", "slurmctld": "Slurm's; the tests skip without it",
    "slurmd": "Slurm's; the tests skip without it", "srun": "Slurm's; the tests skip without it",
    "sbatch": "Slurm's; the tests skip without it", "scancel": "Slurm's; the tests skip without it",
    "sacct": "Slurm's; the tests skip without it", "squeue": "Slurm's; the tests skip without it",
    "sinfo": "Slurm's; the tests skip without it", "scontrol": "Slurm's; the tests skip without it",
}
NAME = r"[a-z][a-z0-9_.+-]*"
# Where a command begins in a shell text: a line, after an operator, in a substitution, or after a
# word that a command follows.
COMMAND = re.compile(
    rf"(?:^|[|;&(`{{]|\b(?:if|then|else|elif|do|while|until|exec|xargs(?: -\S+)*|timeout \S+|nice -n \S+|command -v|nohup)\s|!\s)"
    rf"\s*(?:[A-Z_]+=\S*\s+)*({NAME})(?=[\s;)|&\"'`]|$)", re.M)


def without_comments(text):
    return re.sub(r"(^|\s)#.*", r"\1", text)


def of_shell(text):
    """Comments and functions of its own left out."""
    text = without_comments(text)
    own = set(re.findall(rf"^\s*({NAME})\s*\(\)", text, re.M))
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
    call = rf"(?:run|Popen|check_output|check_call|call|which|system)\(\s*\[?\s*f?[\"']({NAME})"
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


def of_file(file):
    if file.suffix == ".md":
        return of_page(file)
    if file.suffix in (".cpp", ".hpp"):
        return of_cpp(file.read_text(encoding="utf-8"))
    if file.suffix == ".cmake" or file.name == "CMakeLists.txt":
        return of_cmake(file.read_text(encoding="utf-8"))
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


@functools.lru_cache(None)
def started(tree):
    """{program: files that start it}"""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split("\0")
    found = {}
    for name in filter(None, listed):
        file = tree / name
        if file.is_file() and (name.startswith(("tests/", "docs/", "sdk/", ".ci/", "pipelines/"))
                               or "/" not in name or name.endswith(("CMakeLists.txt", "_test.cpp"))):
            for program in of_file(file):
                found.setdefault(program, []).append(name)
    return found


def installed():
    """{package: (the packages it needs, whether a minimal system has it)}, with virtual packages."""
    form = "${Package}\\t${db:Status-Status}\\t${Essential}\\t${Pre-Depends}, ${Depends}\\t${Provides}\\n"
    text = subprocess.run(["dpkg-query", "-W", "-f", form], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    names = lambda field: re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]*)", field)
    packages = {}
    for line in text.splitlines():
        name, status, essential, needs, provides = line.split("\t")
        if status != "installed":
            continue
        minimal = essential == "yes" or name == "apt"
        old_needs, old_minimal = packages.get(name, (set(), False))
        packages[name] = (old_needs | set(names(needs)), old_minimal or minimal)
        for other in names(provides):
            needs_of_other, other_minimal = packages.get(other, (set(), False))
            packages[other] = (needs_of_other | {name}, other_minimal)
    return packages


def closure(packages, roots):
    reached, waiting = set(), list(roots)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += packages.get(name, (set(), False))[0]
    return reached


def packages_of(paths):
    """{path: the package that brings it}; a file is asked for below / and below /usr."""
    names = {}
    for path in paths:
        real = str(Path(path).resolve())
        names.update({real: path, real.removeprefix("/usr"): path})
    found = subprocess.run(["dpkg-query", "-S", *names], text=True, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    packages = {}
    for line in found.stdout.splitlines():
        package, _, name = line.partition(": ")
        if name in names:
            packages[names[name]] = package.split(",")[0].split(":")[0]
    return packages


def missing(tree, listed):
    """[(program, its package, files that start it)]"""
    packages = installed()
    minimal = [name for name, (_, is_minimal) in packages.items() if is_minimal]
    have = closure(packages, [*listed, *minimal])
    paths = {program: shutil.which(program, path="/usr/bin:/bin:/usr/sbin:/sbin")
             for program in started(tree) if program not in OPTIONAL}
    # A word without a path is no program here; one that is missing fails its test.
    package_of = packages_of([path for path in paths.values() if path])
    return [(program, package_of.get(path), started(tree)[program])
            for program, path in sorted(paths.items())
            if path and package_of.get(path) not in have]


def main():
    if shutil.which("dpkg-query") is None:
        print("skipped: this is no Debian system")
        return 77
    listed = [line for line in (TREE / "packages.txt").read_text(encoding="utf-8").split("\n")
              if line and not line.startswith("#")]
    found = missing(TREE, listed)
    for program, package, files in found:
        print(f"{files[0]}: starts '{program}', whose package '{package}' is not in packages.txt; "
              "add it there, or do without the program")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
