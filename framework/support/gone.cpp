// SPDX-License-Identifier: MIT
#include "support/gone.hpp"

#include <map>

namespace semblance {
namespace {

const std::map<std::string_view, std::string_view> replacements = {
    {"--checkpoint",
     "a run that was killed resumes after its last finished node; its training begins again"},
    {"--collect",
     "workers that join write the results once all is done; `semblance study status` shows "
     "progress"},
    {"--jobs",
     "submit `semblance ablate STUDY --join FOLDER` with sbatch --array; see docs/studies.md"},
    {"--man", "packaging/manual.sh makes manual pages, by help2man"},
    {"--network",
     "plan --ranks shows rows and memory; docs/performance.md has the costs of messages"},
    {"--on",
     "submit `semblance ablate STUDY --join FOLDER` with sbatch --array; see docs/studies.md"},
    {"--plugin-path",
     "compare reads what figures mean in the runs' folders; for those that do not say "
     "it, add --better lower or --better higher"},
    {"--slurm",
     "submit `semblance ablate STUDY --join FOLDER` with sbatch --array; see docs/studies.md"},
    {"application/octet-stream", "send rows as text/csv or JSON, {\"rows\": array.tolist()}"},
    {"application/x-npy", "send rows as text/csv or JSON, {\"rows\": array.tolist()}"},
    {"calibrator/isotonic", "write is: calibrator/probabilities, method: isotonic"},
    {"calibrator/platt", "write is: calibrator/probabilities, method: sigmoid"},
    {"calibrator/temperature", "write is: calibrator/probabilities, method: temperature"},
    {"evaluator/estimate_errors", "evaluator/errors takes estimates too"},
    {"evaluator/estimate_explanations", "evaluator/explanations takes estimates too"},
    {"evaluator/fusion", "write is: evaluator/verification, sum: true"},
    {"evaluator/interval_coverage", "evaluator/coverage takes intervals too"},
    {"evaluator/novelty_explanations", "evaluator/explanations takes novelty scores too"},
    {"new-plugin estimate_evaluator",
     "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::estimates>"},
    {"new-plugin graph_feature",
     "begin with feature/NAME, say .accepts({LayoutKind::graph}), and read rows by GraphView, as "
     "graph_similarity/NAME does"},
    {"new-plugin novelty_evaluator",
     "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::novelty>"},
    {"new-plugin pair_evaluator",
     "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::pair_scores>"},
    {"new-plugin sample_evaluator",
     "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::samples>"},
    {"normalizer/quant",
     "normalizer/multirocket, hydra and rdst together err less; see pipelines/series/best.yaml"},
    {"similarity/jittered.choose",
     "omit it: displacements are chosen by similarity, as in the paper"},
    {"solver/kernel_svm.shrinking",
     "omit it: the machine is the same, and trained more slowly with it"},
    {"solver/linear_svm.preconditioner",
     "the rows decide: a sample of them where they are dense, else the squares of the columns"},
    {"solver/liblinear_svr", "solver/linear_svr reaches the same objective"},
    {"solver/libsvm_one_class", "solver/one_class_svm reaches the same objective"},
    {"solver/libsvm_svr", "solver/kernel_svr reaches the same objective"},
    {"source/array.labels", "write label; a model that was trained with it is trained again"},
    {"source/hdf5.labels", "write label; a model that was trained with it is trained again"},
    {"source/npy.labels", "write label; a model that was trained with it is trained again"},
};

}  // namespace

std::string replacement_of(std::string_view name) {
  const auto found = replacements.find(name);
  return found == replacements.end() ? "" : std::string(found->second);
}

std::string package_of(std::string_view component) {
  return component == "source/molecules"
             ? "it reads molecules with RDKit: install the package semblance-molecules or, in a "
               "source tree, librdkit-dev, and build again"
             : "";
}

}  // namespace semblance
