# SPDX-License-Identifier: MIT
"""The gallery: each script runs, shows what it claims, and its picture is that of the script."""

import importlib.util
import io
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

GALLERY = Path(__file__).resolve().parents[3] / "docs" / "gallery"

pytest.importorskip("matplotlib", reason="no matplotlib (apt-get install python3-matplotlib)")
pytestmark = pytest.mark.filterwarnings("error::semblance.SemblanceWarning",
                                        "error::sklearn.exceptions.ConvergenceWarning")


def module_of(name):
    spec = importlib.util.spec_from_file_location(name, GALLERY / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


draw = module_of("draw")


def replace_svc(names):
    theirs, ours = names["machines"]
    assert names["difference"] < 2e-3
    assert ours.support_.tolist() == theirs.support_.tolist()
    assert (ours.predict(names["X"]) == theirs.predict(names["X"])).all()


def own_measure(names):
    assert names["accuracy"]["von Mises"] > 0.85
    assert names["accuracy"]["von Mises"] > names["accuracy"]["RBF"] + 0.03


def choose_C_and_gamma(names):
    search = names["search"]
    assert search.best_score_ > 0.88
    assert search.best_params_["kernel__gamma"] not in (0.001, 1)  # the grid reaches far enough


def calibrated_refused(names):
    curve = names["calibration"]
    assert abs(curve.prob_true - curve.prob_pred).mean() < 0.08
    assert 0.05 < names["error_of_all"] < 0.2
    assert names["error_of_half"] < names["error_of_all"] / 2


def intervals(names):
    assert 0.88 < names["coverage"] < 0.95
    widths = names["high"] - names["low"]
    x = names["new"][:, 0]
    assert np.median(widths[x > 8]) > 3 * np.median(widths[x < 2])


def novelty(names):
    assert names["auc"] > 0.99
    assert (names["scores"][~names["usual"]] < 0).mean() > 0.99
    assert (names["scores"][names["usual"]] >= 0).mean() > 0.75


def dtw_ragged(names):
    assert len({len(series) for series in names["X"]}) > 30
    assert names["accuracy"] > names["accuracy_resampled"] + 0.05 > 0.75


def strings(names):
    assert len({len(text) for text in names["X"]}) > 5
    assert names["accuracy"] > 0.95


def sets(names):
    assert names["accuracy"] > 0.95
    nearest = names["y"][:90][names["nearest"][:, :4]]
    assert (nearest == names["y"][90:93, None]).all()  # what the picture shows


def text(names):
    assert len(names["texts"]) > 200 and names["accuracy"] > 0.85


def indefinite(names):
    assert names["spectrum"].negative_eigenvalues > 10
    none, one, two = (names["accuracy"][shift] for shift in (0, 1, 2))
    assert none[0] > 0.95 and two[0] > 0.95
    assert two[1] > none[1] + 0.05 and two[2] > none[2] + 0.3 and two[2] >= one[2]


def ml3(names):
    one, two, four, many = names["accuracies"]
    assert one < 0.8 < two < four and min(four, many) > 0.97


def same_or_different(names):
    assert names["areas"]["learned"] > 0.92 and names["areas"]["Euclidean distance"] < 0.65


def ablation(names):
    ranks = names["ranks"]
    assert min(ranks, key=ranks.get) == "complete"
    assert ranks["small_C"] - ranks["complete"] > names["difference"]
    assert names["comparison"]["friedman_p"] < 0.01


def export_to_c(names):
    assert names["difference"] < 1e-4
    assert (names["classes"] == names["result"].model.predict(names["grid"]).astype(int)).all()


CLAIMS = {claim.__name__: claim for claim in (
    replace_svc, own_measure, choose_C_and_gamma, calibrated_refused, intervals, novelty,
    dtw_ragged, strings, sets, text, indefinite, ml3, same_or_different, ablation, export_to_c)}


def picture(file):
    from matplotlib import image
    return image.imread(file)[..., :3]


def coarse(pixels, size=8):
    """Means of squares of pixels: fonts and smoothing differ from machine to machine."""
    height, width = (side // size * size for side in pixels.shape[:2])
    return pixels[:height, :width].reshape(height // size, size, width // size, size, 3).mean(
        axis=(1, 3))


@pytest.mark.parametrize("name", draw.SCRIPTS)
def test_a_script_shows_what_it_claims(name, own_store, as_before):
    if name == "export_to_c" and not (shutil.which("cc") and shutil.which(
            "semblance", path=f"{draw.PROGRAMS}:/usr/bin:/usr/local/bin")):
        pytest.skip("no C compiler, or no program semblance")
    names, figure = draw.run(name)
    CLAIMS[name](names)
    check_picture(GALLERY / f"{name}.png", figure)


def check_picture(file, figure):
    """Whether a file has this picture, as far as another font would leave it the same."""
    stored = picture(file)
    assert stored.std() > 0.05  # not blank
    if draw.versions().encode() not in file.read_bytes():
        return  # they arrange and colour pictures differently
    drawn = io.BytesIO()
    draw.save(figure, drawn)
    drawn.seek(0)
    drawn = picture(drawn)
    assert stored.shape == drawn.shape and abs(coarse(stored) - coarse(drawn)).mean() < 0.0125, \
        f"{file.name} is another picture: run docs/gallery/draw.py {file.stem}"


@pytest.mark.parametrize("name", draw.SCRIPTS)
def test_scripts_and_pictures_are_small(name):
    lines = (GALLERY / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 40 and max(map(len, lines)) <= 100
    assert (GALLERY / f"{name}.png").stat().st_size < 60_000


def test_the_page_shows_all_of_them():
    assert (GALLERY / "README.md").read_text(encoding="utf-8") == draw.page()
    assert {file.stem for file in GALLERY.glob("*.py")} == {"draw", *draw.SCRIPTS}
    assert {file.stem for file in GALLERY.glob("*.png")} == set(draw.SCRIPTS) == set(CLAIMS)
    assert len(draw.SCRIPTS) >= 15


def test_another_picture_is_noticed(own_store, tmp_path, monkeypatch):
    script = (GALLERY / "ml3.py").read_text(encoding="utf-8")
    (tmp_path / "ml3.py").write_text(script.replace("factor=0.45", "factor=0.6"))
    monkeypatch.setattr(draw, "FOLDER", tmp_path)
    _, figure = draw.run("ml3")
    draw.save(figure, tmp_path / "ml3.png")
    check_picture(tmp_path / "ml3.png", figure)
    monkeypatch.setattr(draw, "FOLDER", GALLERY)
    _, figure = draw.run("ml3")
    with pytest.raises(AssertionError, match="is another picture: run docs/gallery/draw.py ml3"):
        check_picture(tmp_path / "ml3.png", figure)


def test_some_are_drawn_again_by_name(tmp_path, monkeypatch, own_store):
    shutil.copy(GALLERY / "ml3.py", tmp_path)
    monkeypatch.setattr(draw, "FOLDER", tmp_path)
    monkeypatch.setattr(draw, "SCRIPTS", ["ml3"])
    monkeypatch.setattr(sys, "argv", ["draw.py", "ml3"])
    draw.main()
    assert picture(tmp_path / "ml3.png").shape == picture(GALLERY / "ml3.png").shape
    assert "![Local linear machines" in (tmp_path / "README.md").read_text(encoding="utf-8")
