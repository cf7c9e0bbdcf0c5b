# SPDX-License-Identifier: MIT
"""What `check` says, and which of it a schema cannot know."""
import json
import os
import re
import subprocess

import core_yaml

PROGRAM = os.environ["SEMBLANCE_PROGRAM"]

# A schema sees one value at a time: neither the graph, nor the disk, nor the text behind a value.
BEYOND_A_SCHEMA = [
    # the graph
    r"unknown node '[A-Za-z_][A-Za-z0-9_]*'$", r"node '.*' feeds itself", r"^'\w+' of \S+ takes .*, but ",
    r" needs samples that are each ", r" takes no missing values, but '", r" learns from (classes|numbers), but the (target|samples) of '", r" come from different sources",
    r"these nodes form a cycle", r"has neither a solver nor an evaluator",
    r"nothing uses node '",
    r"^and \d+ more errors$",
    # the disk
    r"' does not exist$", r" files or folders do not exist: ", r"' is not readable$", r"' cannot be accessed",
    # several parameters of a component together (of the components in tests/pipeline)
    r"^'weights' has \d+ values, but shift", r"^'weights' are factors of scores that are added; ", r"^options\.dept: ",
    # a component's own words on its parameters, alone or together
    r"^\w+: '.*' is neither a number above 0 nor auto \(", r"; give (both|one|each|2 to|at least) ",
    r"^only one of 'test_path', ",
    r"^'(first|second)' keeps missing values, but pairs ", r"^'resample' draws ",
    r"^'path' (must increase|has a single value)", r"^'C: automatic' holds rows out of a matrix ",
    r"^'folds' is \d+\.\d+; ", r"^'folds: leave_one_out' shares one kernel matrix ",
    r"^\d+ pairs need \d+ numeric columns, ", r"^'noise: logistic' takes a 'bayes_error' of at least ",
    r"^'low' must be smaller than", r"^'\w+' must be two numbers, ",
    r"^'class_weights\..*' must be a number above 0, got ", r"^'balanced' and 'class_weights' exclude ",
    r"^'class_weights' of a solver of pairs names '",
    r"^with k: 1 the nearest row alone decides", r" counts every row once, but those of '",
    r"^'halving' needs folds, but leave_one_out is one$",
    # a range
    r"^'to' must be greater than 'from', ", r"^two values of this range would be equal$",
    r" must be odd, so that a patch ", r"^'data' is empty; ",
    r"^'missing' (must be refuse or keep, got|keeps or refuses values and)", r"^'value' is ",
    r"^'test_(samples|label|target|groups)' (names the test rows|needs |and 'samples' name)", r"^with 'role: test' all rows are for testing; remove 'test_samples'$", r"^'scale: 0' makes all values 0; ", r" lets words of shortest: ", r"^'shortest' is \d+, more than 'longest', ", r"^'hashed_columns' and 'most_columns' exclude", r"^'class' and 'taken_for' are both ", r"^'rows' names the sample ", r"^'\w+' has \d+ values and '",
    r"^'label' names a class and 'target' numbers to predict, ", r"^'target: numbers' (says what|has numbers in place of) ",
    r"^'beside' names a table, but none of ", r"^'(id|weight|groups)' names a column, but these files have none",
    r"^'label_parts' and 'smallest_class' are for classes, ", r"^'(epsilon|quantile|penalty|folds)' (belongs to|is for) ",
    r"^(epsilon|nu) is used by loss: ", r"^'penalties' has a value twice; ",
    r"^'recall' needs a class;", r"^'of' names a class, but no goal ",
    r"^'costs' and 'recall' are two goals", r"^the cost of '.*' must be a number above 0$",
    # in a mapping: what is written without quotes, and integers that are too large
    r"^'\w+\.\w+' could be (true|false|null) or a text", r"^'\w+\.\w+' has no value$",
    r"^'\w+\.\w+' must be a finite number, got '[-+]?[a-zA-Z]+'$",
    r"^'\w+\.\w+' must be an integer that fits in 64 bits",
    # the text: what is YAML to others and not to pipelines
    r"^anchors ", r"^aliases ", r"^tags ", r"^merge keys ", r"' is given twice$",
    r"^a key must be a word", r"^nested deeper than", r"^a second document", r"^not UTF-8",
    r"^control character ", r"^this does not belong to what comes before it", r"^tab in the indentation",
]

# Numbers and truth values that YAML reads as such before a schema sees them: 8.0 and 010 for an
# integer, True for true, 1e-999, not-a-number; a pipeline of the name 1.5.
READ_ALIKE = [
    (r"must be an? (?:non-negative )?integer, got '([^']*)'$", (int, float)),
    (r"must be a finite number, got '([^']*)'$", (int, float)),
    (r"is out of range for a 64-bit number: '([^']*)'$", (int, float)),
    (r"must be true or false, got '([^']*)'$", (bool,)),
    (r"^'([^']*)' is not a valid pipeline name$", (int, float)),
]


def read_alike(message):
    for pattern, types in READ_ALIKE:
        found = re.search(pattern, message)
        if not found:
            continue
        value = core_yaml.load(found[1])
        if types == (bool,):
            return isinstance(value, bool)
        if isinstance(value, bool) or not isinstance(value, types):
            return False
        whole = value != value or (abs(value) < 1e300 and value == int(value))
        return whole or "integer" not in pattern
    return False


def beyond_a_schema(message):
    return any(re.search(p, message) for p in BEYOND_A_SCHEMA) or read_alike(message)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def schema(*arguments):
    return json.loads(run("describe", "--schema", *arguments).stdout)


def diagnostics(file):
    """(line, column, message) of all errors in a pipeline."""
    errors = []
    for line in run("check", str(file)).stderr.splitlines():
        found = re.match(re.escape(str(file)) + r"(?::(\d+):(\d+))?: error: (.*)", line)
        if found:
            errors.append((int(found[1] or 0), int(found[2] or 0), found[3]))
    return errors
