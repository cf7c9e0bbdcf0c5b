"""Export to C: a model that needs nothing but a compiler.

`semblance export` writes one C function, proved against the model; ONNX is one word away.
"""
import ctypes
import shutil
import subprocess

import matplotlib.pyplot as plt
import numpy as np

import semblance

result = semblance.run("""
name: rings
nodes:
  points: {is: source/rings, classes: 3, noise: 0.3}
  bases:  {is: basis/random, count: 40, from: points}
  rbf:    {is: similarity/rbf, gamma: 2, from: points, bases: bases}
  svm:    {is: solver/linear_svm, from: rbf}
""")
# Installed, or beside the package in a build folder.
program = shutil.which("semblance") or f"{semblance.__path__[0]}/../../bin/semblance"
source, library = f"{result.out}/rings.c", f"{result.out}/rings.so"
subprocess.run([program, "export", f"{result.out}/model", "--to", "c", "--out", source], check=True)
subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
rings = ctypes.CDLL(library).rings_predict

grid = np.stack(np.mgrid[-4:4:120j, -4:4:120j], axis=-1).reshape(-1, 2).astype("float32")
scores = np.zeros((len(grid), 3), dtype="float32")
classes = np.array([rings(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(out.ctypes.data))
                    for row, out in zip(grid, scores)])
difference = abs(scores - result.model.decision_function(grid)).max()

_, ax = plt.subplots(figsize=(4.6, 4.4), layout="constrained")
ax.imshow(classes.reshape(120, 120), cmap="cividis", extent=(-4, 4, -4, 4), origin="lower")
ax.set_title(f"classes by rings_predict() in C\nscores differ by {difference:.1g} at most",
             fontsize="medium")
plt.show()
