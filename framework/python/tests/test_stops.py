# SPDX-License-Identifier: MIT
"""Ctrl-C and the deadline end components that are written in Python."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from program_in_folder import PROGRAM, in_program

SLOW = """
import pathlib
import time
import semblance
@semblance.solver("solver/deaf")
class Deaf:
    "Never asks whether to stop."
    def fit(self, samples, labels):
        pathlib.Path("fitting").touch()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
    def apply(self, samples):
        return samples
@semblance.solver("solver/polite")
class Polite:
    "Asks, and keeps what it has."
    def fit(self, samples, labels, context):
        pathlib.Path("fitting").touch()
        while not context.stop_requested:
            time.sleep(0.01)
        self.factor = 3
    def apply(self, samples):
        return samples * self.factor
"""

SLOW_PIPELINE = """
name: slow
nodes:
  t:    {is: source/xor, train: 50, test: 20}
  svm:  {is: solver/deaf, from: t}
"""


@in_program
@pytest.mark.parametrize("solver", ["deaf", "polite"])
def test_ctrl_c_and_the_deadline_end_python(program, solver):
    program.file("slow.py", SLOW)
    program.file("p.yaml", SLOW_PIPELINE)
    command = [PROGRAM, "run", "p.yaml", "--plugin-path", "slow.py", "--out", "out", "--quiet",
               "--set", f"nodes.svm.is=solver/{solver}"]
    with subprocess.Popen(command, cwd=program.folder, env=program.environment,
                          stderr=subprocess.PIPE, text=True) as running:
        while not (program.folder / "fitting").exists():
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        error = running.communicate(timeout=30)[1]  # half of the time that it would take
    assert "stopped by Ctrl-C" in error
    begin = time.monotonic()
    program(*map(str, command[1:]), "--deadline", "1")
    assert time.monotonic() - begin < 30


def test_ctrl_c_ends_a_component_that_does_not_ask(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent("""
        import time
        import semblance
        @semblance.solver("solver/deaf")
        class Deaf:
            "Never asks."
            def fit(self, samples, labels):
                print("fitting", flush=True)
                end = time.monotonic() + 60
                while time.monotonic() < end:
                    pass
            def apply(self, samples):
                return samples
        try:
            semblance.run("name: slow\\nnodes:\\n  t: {is: source/xor, train: 50, test: 20}\\n"
                          "  svm: {is: solver/deaf, from: t}\\n")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """))
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True,
                          env=os.environ) as running:
        assert running.stdout.readline() == "fitting\n"
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=30)[0] == "interrupted\n"
