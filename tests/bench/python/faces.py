# SPDX-License-Identifier: MIT
"""The shape of scikit-learn's example plot_face_recognition: people with 70 pictures or more in
Labeled Faces in the Wild, the first 150 principal components, and a search for C and gamma.

    SEMBLANCE_DATA=DIR ./semblance python tests/bench/python/faces.py
"""

import sys
import tarfile
from collections import Counter

import numpy as np
from PIL import Image
from side_by_side import compare, data_folder
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from semblance import KernelSVM
from semblance.similarity import RBF

MOST = 70


def pictures(archive):
    """Grey values of the people's pictures, 37 x 50 each, and whose they are."""
    with tarfile.open(archive) as tar:
        files = [member for member in tar if member.name.endswith(".jpg")]
        count = Counter(member.name.split("/")[-2] for member in files)
        wanted = [member for member in files if count[member.name.split("/")[-2]] >= MOST]
        rows, names = [], []
        for member in sorted(wanted, key=lambda m: m.name):
            with Image.open(tar.extractfile(member)) as picture:
                # The faces themselves: 94 x 125 in the middle of the crop.
                face = picture.convert("L").crop((9, 14, 103, 139)).resize((37, 50), Image.BILINEAR)
            rows.append(np.asarray(face, dtype=np.float32).ravel() / 255)
            names.append(member.name.split("/")[-2])
    return np.array(rows), np.array(names)


folder = data_folder("lfw-a")
if folder is None:
    sys.exit(0)
X, y = pictures(folder / "lfwa-crop112x152.tar.gz")
print(f"{len(X)} pictures of {len(set(y))} people, {X.shape[1]} values each")
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=42)
scaler = StandardScaler().fit(X_train)
X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)
pca = PCA(n_components=150, svd_solver="randomized", whiten=True, random_state=0).fit(X_train)
X_train, X_test = pca.transform(X_train), pca.transform(X_test)

C, gamma = [1, 10, 100, 1000], [0.0005, 0.001, 0.005, 0.01]
found = compare(
    {"SVC": lambda: GridSearchCV(SVC(class_weight="balanced"), {"C": C, "gamma": gamma}),
     "KernelSVM": lambda: GridSearchCV(
         KernelSVM(kernel=RBF(), class_weight="balanced"), {"C": C, "kernel__gamma": gamma})},
    X_train, y_train, X_test, y_test, rounds=1)
for name, timed in found.items():
    print(f"{name:12}{timed.machine.best_score_:.4f}  {timed.machine.best_params_}")
