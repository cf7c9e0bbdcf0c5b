# SPDX-License-Identifier: MIT
"""The launcher with its surroundings made up: Debian's package tools, CMake and the program are scripts that
write down how they are called."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

LAUNCHER = Path(__file__).resolve().parents[2] / "semblance"
INSTALLER = LAUNCHER.parent / "packaging/install_packages"
# Knows the target solver.known.
CMAKE = """if [ "$1" = --build ]; then
  case $* in *solver.unknown*) echo "ninja: error: unknown target 'solver.unknown'"; exit 1 ;; esac
  mkdir -p "$2/bin"
  for program in semblance semblance_first; do
    echo "echo \\"the program $program: \\$*\\"" >"$2/bin/$program"; chmod +x "$2/bin/$program"
  done
  exit
fi
mkdir -p build/release; touch build/release/build.ninja
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt"""
# Fails as often as its file has lines, with the next of them.
BUSY = """file=$FAKES/failures.${0##*/}
line=$(head -1 "$file" 2>/dev/null) && [ -n "$line" ] || exit 0
sed -i 1d "$file"; echo "$line" >&2; exit 2"""


class Launcher(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.tree = self.folder / "tree"
        self.fakes = self.folder / "fakes"
        self.tree.mkdir()
        self.fakes.mkdir()
        shutil.copy(LAUNCHER, self.tree)
        (self.tree / "packaging").mkdir()
        shutil.copy(INSTALLER, self.tree / "packaging")
        (self.tree / "packages.txt").write_text(
            "# The program\ncmake\nninja-build\nlibopenmpi-dev\n# Python\npython3-dev\n# Tests\nmypy\n# none:\n")
        self.has("cmake", "ninja-build", "libopenmpi-dev")
        self.fake("cmake", CMAKE)
        self.fake("dpkg-query", """case $2 in *Package*) sed 's/^/installed /' "$FAKES/packages" ;;
            *) ! grep -qx "$3" "$FAKES/packages" || printf installed ;; esac""", silent=True)
        for name in ("dpkg", "apt-get"):
            self.fake(name, BUSY)
        self.fake("sleep", "")
        self.fake("sudo", 'exec "$@"', silent=True)

    def fake(self, name, script, silent=False):
        note = "" if silent else f'echo "{name} $*" >>"$FAKES/calls"\n'
        (self.fakes / name).write_text(f"#!/bin/sh\n{note}{script}\n")
        (self.fakes / name).chmod(0o755)

    def has(self, *packages):
        (self.fakes / "packages").write_text("".join(name + "\n" for name in packages))

    def fails(self, tool, message, times):
        (self.fakes / f"failures.{tool}").write_text((message + "\n") * times)

    def launch(self, *words, tree=None):
        """(exit code, output, calls of tools)"""
        calls = self.fakes / "calls"
        calls.write_text("")
        environment = {**os.environ, "FAKES": str(self.fakes), "SEMBLANCE_BUILD_JOBS": "1",
                       "PATH": f"{self.fakes}:{os.environ['PATH']}"}
        environment.pop("SEMBLANCE_PRESET", None)
        done = subprocess.run([(tree or self.tree) / "semblance", *(words or ["list"])], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout, calls.read_text().splitlines()

    def configurings(self, calls):
        return [line for line in calls if line.startswith("cmake") and "--build" not in line]

    def test_another_installation_is_waited_for(self):
        self.has("cmake")
        self.fails("dpkg", "dpkg: error: dpkg frontend lock was locked by another process with pid 7", 2)
        self.fails("apt-get", "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7", 1)
        code, output, calls = self.launch()
        self.assertEqual(code, 0, output)
        self.assertIn("another process is installing packages; waiting for it, at most 10 minutes\n", output)
        self.assertIn("the program semblance: list", output)
        self.assertEqual([call.split()[0] for call in calls[:7]],
                         ["dpkg", "sleep", "dpkg", "sleep", "dpkg", "apt-get", "sleep"])

    def test_it_waits_for_ten_minutes_and_not_for_other_failures(self):
        self.has("cmake")
        self.fails("dpkg", "dpkg: error: dpkg frontend is locked by another process", 999)
        code, output, calls = self.launch()
        self.assertEqual(code, 1)
        self.assertEqual(calls.count("sleep 5"), 120)
        self.assertEqual(output.count("waiting for it"), 1)
        self.assertIn("installing failed", output)
        self.fails("dpkg", "dpkg: error: unable to open the database", 3)
        code, output, calls = self.launch()
        self.assertEqual((code, calls), (1, ["dpkg --configure -a"]))

    def test_each_purpose_has_its_packages(self):
        self.has("cmake")
        for words, wanted in {("list",): "ninja-build libopenmpi-dev",
                              ("run", "--plugin-path", "mine.py"): "ninja-build libopenmpi-dev python3-dev",
                              ("test", "-N"): "ninja-build libopenmpi-dev python3-dev mypy"}.items():
            _, output, calls = self.launch(*words)
            self.assertIn(f"apt-get install -y --no-install-recommends {wanted}", calls, output)

    def test_a_command_builds_what_it_uses_until_one_has_needed_everything(self):
        pipeline = self.folder / "p.yaml"
        def built(*words):
            code, output, calls = self.launch(*words)
            self.assertEqual(code, 0, output)
            return [call.split("--target ")[1] for call in calls if "--target" in call], output.splitlines()[-1]
        pipeline.write_text("x: {is: solver/known}\n")
        first = "semblance_first semblance_drawing_door solver.known"
        self.assertEqual(built("run", pipeline), ([first], f"the program semblance_first: run {pipeline}"))
        self.assertEqual(built("--version"), (["semblance_first"], "the program semblance_first: --version"))
        pipeline.write_text("x: {is: solver/unknown}\n")
        unknown = first.replace("known", "unknown")
        self.assertEqual(built("run", pipeline), ([unknown, "product"], f"the program semblance: run {pipeline}"))
        pipeline.write_text("x: {is: solver/known}\n")
        self.assertEqual(built("run", pipeline), (["product"], f"the program semblance: run {pipeline}"))

    @unittest.skipUnless(Path("/var/lib/dpkg/status").exists(), "this is no Debian system")
    def test_it_configures_again_when_a_package_came_or_went(self):
        without = "cmake", "ninja-build"
        code, output, calls = self.launch()
        self.assertEqual((code, self.configurings(calls)), (0, ["cmake --preset release"]), output)
        for packages, times in ((without, 1), (without, 0), ((*without, "libopenmpi-dev"), 1)):
            self.has(*packages)
            os.utime(self.tree / "build/release/.packages", (0, 0))
            code, output, calls = self.launch()
            self.assertEqual((code, len(self.configurings(calls))), (0, times), output)

    def test_a_build_that_was_ended_shows_how(self):
        stopped = "ninja: build stopped: interrupted by user."
        self.fake("cmake", CMAKE.replace('mkdir -p "$2/bin"', f"echo '{stopped}'; exit 1"))
        code, output, _ = self.launch()
        self.assertEqual(code, 1, output)
        self.assertIn(f"{stopped}\nsemblance: building failed", output)

    def test_a_copied_tree_builds_from_itself(self):
        self.launch()
        (self.tree / "build/release/left").touch()
        copy = self.folder / "copy"
        shutil.copytree(self.tree, copy)
        code, output, calls = self.launch(tree=copy)
        self.assertEqual((code, self.configurings(calls)), (0, ["cmake --preset release"]), output)
        self.assertIn(f"was made for {self.tree}; building anew\n", output)
        self.assertFalse((copy / "build/release/left").exists())
        self.assertTrue((self.tree / "build/release/left").exists())
        self.assertEqual(self.configurings(self.launch(tree=copy)[2]), [])
        # The same folder by another name is no copy.
        (self.folder / "link").symlink_to(copy)
        cache = copy / "build/release/CMakeCache.txt"
        cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.folder}/link\n")
        self.assertEqual(self.configurings(self.launch(tree=copy)[2]), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
