# SPDX-License-Identifier: MIT
"""Fornoni, Caputo and Orabona, Multiclass Latent Locally Linear Support Vector Machines."""
from math import fsum

from .experiment import Experiment, Paper, verdict
from .text import listed

TABLE_1 = {  # machine of the pipeline: the paper's name, and its error in % on USPS, LETTER, MNIST
    "ml3": ("ML3", 5.43, 3.43, 1.59),
    "llsvm": ("LL-SVM", 6.78, 17.25, 3.81),
    "g_occ": ("G-OCC", 5.03, 7.90, 1.65),
    "c_occ": ("C-OCC", 4.19, 7.93, 1.72),
    "lcc": ("LCC", None, None, 1.90),
    "improved_lcc": ("improved LCC", 4.38, 4.12, 2.28),
    "gaussian": ("Gaussian LIBSVM", 4.88, 3.15, 1.78),
    "linear": ("LIBLINEAR, one against the rest", 8.37, 45.85, 16.24),
    "crammer_singer": ("LIBLINEAR, Crammer-Singer", 7.67, 24.4, 7.37),
}
TRAINING = {"ml3": (29.5, 13.2, 745), "llsvm": (5.21, 1.99, 120), "g_occ": (48.1, 3.99, 1365),
            "c_occ": (93.6, 8.19, 2641), "gaussian": (2.55, 3.20, 327), "linear": (0.89, 0.55, 13.0),
            "crammer_singer": (0.52, 35.5, 8.31)}
SETS = ("usps", "letter", "mnist")


def kept(*machines):
    return tuple(f"{machine}{end}" for machine in machines
                 for end in ("_test.error_rate", ".train_seconds"))


OF_ALL = ("ml3", "llsvm", "g_occ", "c_occ", "gaussian", "linear", "crammer_singer")

PAPER = Paper("ml3", "ML3", [
    Experiment("xor", "Fig. 1 left: XOR with two models", "ml3/xor.yaml", "run",
               keep=("test.error_rate", "gaussian_test.error_rate")),
    Experiment("figure_1_banana", "Fig. 1 right: p = 1, 2, 1000 on banana", "ml3/figure_1_banana.yaml"),
    Experiment("figure_2_usps", "Fig. 2 top left: p and the number of models", "ml3/figure_2_usps.yaml",
               full=("--set", "study.repeats={seeds: 3}")),
    Experiment("figure_2_iterations", "Fig. 2: error by iteration, LETTER", "ml3/figure_2_iterations.yaml",
               scaled=("--set", "study.only=[{iterations: [1, 5, 10]}]")),
    Experiment("usps", "Table 1: USPS", "ml3/usps_peers.yaml", "run", keep=kept(*OF_ALL),
               compared=(("usps:ml3_test", "usps:gaussian_test"),)),
    Experiment("letter", "Table 1: LETTER", "ml3/letter_peers.yaml", "run", keep=kept(*OF_ALL),
               compared=(("letter:ml3_test", "letter:gaussian_test"),)),
    Experiment("mnist", "Table 1: MNIST", "ml3/mnist_peers.yaml", "run",
               keep=kept(*OF_ALL, "lcc", "improved_lcc"), compared=(("mnist:ml3_test", "mnist:gaussian_test"),),
               scaled=("--set", "nodes.gaussian={is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, "
                       "C: 10, from: x}",
                       *(word for name, models in (("ml3.models", 20), ("llsvm.models", 20), ("g_occ.models", 20),
                                                   ("c_occ.models", 20), ("lcc.anchors", 128),
                                                   ("improved_lcc.anchors", 64), ("improved_lcc.tangents", 16))
                         for word in ("--set", f"nodes.{name}={models}")))),
    Experiment("covtype", "Table 1: COVTYPE's first 20,000 rows", "ml3/covtype.yaml", "run",
               keep=kept("ml3", "gaussian")),
    Experiment("covtype_size", "Table 1: COVTYPE's size, generated", "ml3/covtype_size.yaml", "run",
               keep=kept("ml3", "linear"),
               scaled=("--set", "nodes.points.train=50000", "--set", "nodes.points.test=10000")),
    Experiment("table_2", "Table 2: seven machines on ten sets", "ml3/table_2.yaml",
               scaled=("--set", "study.repeats.seeds=1")),
])


def error(results, machine):
    return 100 * results.mean(f"{machine}_test.error_rate")


def standard_error(percentage, rows):
    """The standard error, in points, of an error of some percent on a number of test samples."""
    share = percentage / 100
    return 100 * (share * (1 - share) / rows) ** 0.5


@PAPER.table("Table 1: test error in %, training time in seconds")
def table_1(usps, letter, mnist):
    rows = [["", *(cell for name in SETS for cell in (name.upper(), "paper"))]]
    for machine, (shown, *printed) in TABLE_1.items():
        cells = [shown]
        for results, paper, place in zip((usps, letter, mnist), printed, range(3)):
            measured = f"{machine}_test.error_rate" in results.methods[0]["figures"]
            seconds = results.mean(f"{machine}.train_seconds") if measured else 0
            ours = f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.2g}"
            cells.append(f"{error(results, machine):.2f} ({ours})" if measured else "")
            took = TRAINING.get(machine, (None,) * 3)[place]
            cells.append("" if paper is None else f"{paper:.2f}" + (f" ({took:g})" if took else ""))
        rows.append(cells)
    return rows


def at_the_papers_error(results, place, rows):
    printed = TABLE_1["ml3"][1 + place]
    measured = error(results, "ml3")
    noise = standard_error(printed, rows)
    return (f"{measured:.2f} % (an error of {printed:.2f} % has a standard error of {noise:.2f})",
            verdict(measured <= printed, measured <= printed + 2 * noise))


@PAPER.states("Table 1", "ML3's error on USPS, m = 80", "5.43 %")
def usps_error(usps):
    return at_the_papers_error(usps, 0, 2007)


@PAPER.states("Table 1", "ML3's error on LETTER, m = 16", "3.43 %",
              why="it depends on the seed: eight have 3.49 ± 0.06 %, half of them the paper's or less")
def letter_error(letter):
    return at_the_papers_error(letter, 1, 4000)


@PAPER.states("Table 1", "ML3's error on MNIST, m = 90", "1.59 %",
              why="three seeds have 1.65 to 1.72 %, with 200 models 1.58 to 1.65 %; the paper must have used "
                  "other samples, since LIBSVM's Gaussian machine has an error of 1.78 % on them and of 1.5 % on these")
def mnist_error(mnist):
    return at_the_papers_error(mnist, 2, 10000)


def best_local_model(results, machines):
    errors = {TABLE_1[m][0]: error(results, m) for m in machines}
    best = min(errors, key=errors.get)
    ours = errors["ML3"]
    return (listed(f"{m} {e:.2f} %" for m, e in errors.items()),
            verdict(best == "ML3", ours <= 1.1 * errors[best]))


@PAPER.states("5", "On LETTER, ML3 is the best of the locally linear machines")
def best_on_letter(letter):
    return best_local_model(letter, ("ml3", "llsvm", "g_occ", "c_occ"))


@PAPER.states("5", "and on MNIST")
def best_on_mnist(mnist):
    return best_local_model(mnist, ("ml3", "llsvm", "g_occ", "c_occ"))


@PAPER.states("5", "It comes close to the Gaussian machine of LIBSVM: error on USPS, LETTER, MNIST",
              "5.43 against 4.88, 3.43 against 3.15, 1.59 against 1.78",
              why="LIBSVM's machine, its C and gamma chosen by cross-validation, is better here than in the paper: by "
                  "0.7 points on LETTER")
def close_to_gaussian(usps, letter, mnist):
    pairs = [(error(r, "ml3"), error(r, "gaussian")) for r in (usps, letter, mnist)]
    tests = "".join(r.tested(f"{r.experiment}:ml3_test", f"{r.experiment}:gaussian_test")
                    for r in (usps, letter, mnist))
    return (listed(f"{a:.2f} against {b:.2f}" for a, b in pairs) + tests,
            verdict(all(a <= b + 0.6 for a, b in pairs), all(a <= b + 1.5 for a, b in pairs)))


@PAPER.states("5", "It trains faster than OCC on MNIST; LL-SVM is the fastest",
              "745 s; G-OCC 1365, C-OCC 2641, LL-SVM 120",
              why="all four spend their time on the same products of rows and models and differ by less than one run "
                  "from the next: another run took ML3 15 s, G-OCC 16, C-OCC 20, LL-SVM 18")
def faster_than_occ(mnist):
    seconds = {TABLE_1[m][0]: mnist.mean(f"{m}.train_seconds") for m in ("ml3", "g_occ", "c_occ", "llsvm")}
    return (listed(f"{m} {s:.1f} s" for m, s in seconds.items()),
            verdict(seconds["ML3"] < min(seconds["G-OCC"], seconds["C-OCC"]) and
                    seconds["LL-SVM"] == min(seconds.values()),
                    seconds["ML3"] < max(seconds["G-OCC"], seconds["C-OCC"])))


@PAPER.states("Table 1", "On MNIST the paper's ML3 takes longer to train than LIBSVM's Gaussian machine",
              "745 s against 327 s")
def against_libsvm(mnist):
    ours, theirs = (mnist.mean(f"{m}.train_seconds") for m in ("ml3", "gaussian"))
    return f"{ours:.1f} s against {theirs:.0f} s: 1/{theirs / ours:.0f}", "overtaken" if ours < theirs else "holds"


@PAPER.states("5, COVTYPE", "At COVTYPE's size (522,911 rows, 54 models) training takes minutes, where the "
              "Gaussian machine takes more than a day", "225 s")
def covtype_time(covtype_size):
    seconds = covtype_size.mean("ml3.train_seconds")
    return (f"{seconds:.1f} s on generated rows; error {error(covtype_size, 'ml3'):.2f} %, a linear machine's "
            f"{error(covtype_size, 'linear'):.2f} %", verdict(seconds < 225))


@PAPER.states("Table 1", "COVTYPE: ML3 has a higher error than the Gaussian machine", "14.84 against 9.30 %")
def covtype_error(covtype):
    ours, gaussian = error(covtype, "ml3"), error(covtype, "gaussian")
    return (f"the first 20,000 rows, seven classes: {ours:.2f} against {gaussian:.2f} % (other rows and classes "
            "than the paper's: only the order can be compared)", verdict(ours >= gaussian))


@PAPER.states("4, Fig. 1 left", "Two models separate XOR")
def xor_is_separated(xor):
    wrong, gaussian = (100 * xor.mean(f"{test}.error_rate") for test in ("test", "gaussian_test"))
    return (f"{wrong:.2f} % errors, a Gaussian machine {gaussian:.2f} %, with one label in twenty wrong",
            verdict(wrong < gaussian + 1, wrong < 10))


@PAPER.states("4, Fig. 1 right", "On banana with five models, p = 2 is better than p = 1 and p = 1000")
def banana_p(figure_1_banana):
    errors = {p: 100 * figure_1_banana.mean(p=p) for p in figure_1_banana.alternatives("p")}
    return (listed(f"p = {p}: {e:.2f} %" for p, e in errors.items()),
            verdict(min(errors, key=errors.get) == "2", errors["2"] < errors["1000"]))


def usps_errors(figure_2_usps):
    return {(p, int(m)): 100 * figure_2_usps.mean(p=p, models=m)
            for p in figure_2_usps.alternatives("p") for m in figure_2_usps.alternatives("models")}


@PAPER.states("4, Fig. 2", "With many models, p = 1.5 is best")
def best_p(figure_2_usps):
    errors = usps_errors(figure_2_usps)
    most = max(m for _, m in errors)
    of_most = {p: e for (p, m), e in errors.items() if m == most}
    return (f"{most} models: " + listed(f"p = {p}: {e:.2f} %" for p, e in of_most.items()),
            verdict(min(of_most, key=of_most.get) == "1.5", of_most["1.5"] <= min(of_most.values()) + 0.2))


@PAPER.states("4, Fig. 2", "For p in (1, 2] more models do no harm")
def more_models(figure_2_usps):
    errors = usps_errors(figure_2_usps)
    fewest, most = min(m for _, m in errors), max(m for _, m in errors)
    changes = {p: errors[p, most] - errors[p, fewest] for p in ("1.25", "1.5", "2")}
    return (f"from {fewest} to {most} models: "
            + listed(f"p = {p} {c:+.2f} points" for p, c in changes.items()).replace("-", "−"),
            verdict(all(c <= 0.25 for c in changes.values()), fsum(changes.values()) <= 0))


@PAPER.states("5, Fig. 2", "ML3 stays ahead of LL-SVM and OCC at every number of iterations (LETTER, 100 models)")
def ahead(figure_2_iterations):
    runs = {m: [100 * figure_2_iterations.mean(machine=m, iterations=i)
                for i in figure_2_iterations.alternatives("iterations")]
            for m in figure_2_iterations.alternatives("machine")}
    least = [min(v[i] for v in runs.values()) for i in range(len(runs["ML3"]))]
    first = sum(a <= b for a, b in zip(runs["ML3"], least))
    steps = ", ".join(figure_2_iterations.alternatives("iterations"))
    return (f"after {steps}: " + "; ".join(f"{m} {', '.join(f'{e:.2f}' for e in v)}" for m, v in runs.items()),
            verdict(first == len(least), runs["ML3"][-1] == least[-1]))


TABLE_2 = {
    "banana": (11.06, 45.13, 11.69, 12.58, 36.99, 35.24, 11.03),
    "german": (23.59, 25.15, 27.19, 27.75, 24.13, 25.57, 23.65),
    "heart": (16.89, 17.11, 18.67, 15.78, 26.78, 24.56, 18.00),
    "ionosphere": (10.09, 21.54, 14.70, 14.02, 10.85, 11.79, 11.88),
    "liver": (33.30, 32.87, 33.04, 35.13, 29.57, 31.91, 32.17),
    "pima": (23.28, 24.80, 25.16, 23.01, 24.80, 26.88, 22.50),
    "ringnorm": (1.56, 22.98, 13.03, 3.02, 19.07, 18.72, 7.59),
    "sonar": (30.57, 33.43, 32.86, 31.29, 29.86, 28.29, 29.86),
    "spambase": (8.42, 11.57, 9.39, 23.21, 18.95, 15.21, 11.23),
    "wdbc": (9.87, 14.21, 13.56, 12.58, 11.46, 11.20, 10.86),
}
RANKS = (2.2, 5.4, 4.9, 4.5, 4.2, 4.2, 2.6)
MACHINES = ("Gaussian", "LIBLINEAR", "L-MKL", "LL-SVM", "G-OCC", "C-OCC", "ML3")


def errors_on_sets(table_2):
    """By machine, the mean error in % on each set; None where it was not run."""
    return {m: {s: None if v is None else 100 * v for s, v in zip(table_2.blocks, table_2.values(machine=m))}
            for m in MACHINES}


@PAPER.table("Table 2: test error in %, ours and the paper's")
def table_2_rows(table_2):
    errors = errors_on_sets(table_2)
    rows = [["", *MACHINES]]
    for s, printed in TABLE_2.items():
        rows.append([s, *(f"{'–' if errors[m][s] is None else f'{errors[m][s]:.2f}'} / {p:.2f}"
                          for m, p in zip(MACHINES, printed))])
    return rows + [["average rank", *(f"{table_2.method(machine=m)['rank']:.2f} / {r}"
                                      for m, r in zip(MACHINES, RANKS))]]


@PAPER.states("Table 2", "ML3's average rank is second after the Gaussian machine's", "2.6 after 2.2")
def second_rank(table_2):
    ranks = {m: table_2.method(machine=m)["rank"] for m in MACHINES}
    ordered = sorted(ranks, key=ranks.get)
    return (listed(f"{m} {ranks[m]:.2f}" for m in ordered),
            verdict(ordered[:2] == ["Gaussian", "ML3"], "ML3" in ordered[:2]))


@PAPER.states("Table 2", "ML3's errors are at or below the paper's",
              why="splits differ: the standard errors over our ten are 0.57 points on german, 0.53 on pima and 0.20 on "
                  "ringnorm, so that each difference is within two of its own")
def errors_under_the_papers(table_2):
    errors = errors_on_sets(table_2)["ML3"]
    differences = {s: errors[s] - printed[-1] for s, printed in TABLE_2.items()}
    under = sum(d <= 0 for d in differences.values())
    over = listed(f"{s} {d:+.2f}" for s, d in differences.items() if d > 0)
    return f"on {under} of {len(TABLE_2)} sets" + (f"; above: {over}" if over else ""), \
        verdict(under == len(TABLE_2), under > len(TABLE_2) / 2)


@PAPER.states("5", "ML3 is significantly better than LL-SVM, G-OCC and C-OCC (Wilcoxon's signed ranks over sets)",
              "p = 0.042, 0.030, 0.017, not corrected",
              why="LL-SVM and C-OCC each have lower errors here than in the paper on eight sets")
def significantly_better(table_2):
    p = {m: table_2.p_value("wilcoxon", machine=m) for m in ("LL-SVM", "G-OCC", "C-OCC")}
    shown = listed(f"{m} {'no test' if value is None else f'{value:.3f}'}" for m, value in p.items())
    better = [value is not None and value < 0.05 for value in p.values()]
    return "p, not corrected: " + shown, verdict(all(better), any(better))
