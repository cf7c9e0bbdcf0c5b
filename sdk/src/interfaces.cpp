// SPDX-License-Identifier: MIT
// Key functions: every interface's type information and destructor are defined once, in this
// library.

#include <algorithm>

#include "semblance/basis.hpp"
#include "semblance/basis_checks.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/component.hpp"
#include "semblance/context.hpp"
#include "semblance/cost_path.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/device.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/named_pairs.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/pairs.hpp"
#include "semblance/regressor.hpp"
#include "semblance/report.hpp"
#include "semblance/row_lines.hpp"
#include "semblance/samples.hpp"
#include "semblance/shared_work.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/source.hpp"
#include "semblance/state.hpp"
#include "semblance/unknown_rows.hpp"

namespace semblance {

Context::~Context() = default;
Report::~Report() = default;
Rows::~Rows() = default;
StateReader::~StateReader() = default;
StateWriter::~StateWriter() = default;

Component::~Component() = default;
Transform::~Transform() = default;
Basis::~Basis() = default;
Calibrator::~Calibrator() = default;
CostPath::~CostPath() = default;
Dataset::~Dataset() = default;
DecisionValues::~DecisionValues() = default;
Device::~Device() = default;
DeviceMemory::~DeviceMemory() = default;
DeviceQueue::~DeviceQueue() = default;
Evaluator::~Evaluator() = default;
Feature::~Feature() = default;
HeldOutCalibrator::~HeldOutCalibrator() = default;
void HeldOutCalibrator::apply_within(std::int32_t, MatrixView in, MutableMatrixView out,
                                     Context& context) const {
  apply(in, out, context);
}
IntervalCalibrator::~IntervalCalibrator() = default;
IntervalCorrector::~IntervalCorrector() = default;
NoveltyCalibrator::~NoveltyCalibrator() = default;
Learner::~Learner() = default;
LeftOutScores::~LeftOutScores() = default;
Normalizer::~Normalizer() = default;
void Normalizer::report(Report&) const {}
NoveltyDetector::~NoveltyDetector() = default;
PairKernel::~PairKernel() = default;
PairSolver::~PairSolver() = default;
Pairs::~Pairs() = default;
Regressor::~Regressor() = default;
IntervalRegressor::~IntervalRegressor() = default;
NamedPairs::~NamedPairs() = default;
RowLines::~RowLines() = default;
RowTexts::~RowTexts() = default;
SharedWork::~SharedWork() = default;
SharesWork::~SharesWork() = default;
Similarity::~Similarity() = default;
Solver::~Solver() = default;
Source::~Source() = default;

void Transform::count_values(MatrixView, std::span<std::size_t>, Context&) const {
  throw Error("the sizes of its rows do not depend on their content");
}

void Learner::apply_left_out(MatrixView, std::span<const std::int64_t>, MutableMatrixView,
                             Context&) const {
  throw Error("the solver does not leave out single samples");
}

void Solver::assign(MatrixView, std::span<const std::int32_t>, MutableMatrixView, Context&) const {
  throw Error("the solver has no local models");
}

Layout Similarity::bind(const Layout& input) {
  prepare(input);
  return Layout::vector(bases());
}

std::size_t Dataset::values(std::size_t) const { return outline().layout.size(); }

MatrixView Dataset::in_place(std::size_t, std::size_t) const noexcept { return {}; }

std::vector<std::int64_t> Pairs::set_aside(const PairExamples&, Context&) { return {}; }

std::unique_ptr<RowLines> Source::lines(const NewData&) const { return nullptr; }

std::unique_ptr<NamedPairs> Source::open_samples(Context&) const { return nullptr; }

void Source::apply_model(const NewData& data) {
  if (!data.path.empty())
    throw Error("it reads no file, so it cannot read '" + data.path +
                "'; replace it with a source that does: --set nodes.NODE.is=source/csv");
}

FloatMatrix Evaluator::probes(const Dataset&, Context&) const { return {}; }

void Similarity::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                             Context& context) const {
  basis_checks::check_range(bases(), first, out);
  FloatMatrix all(in.rows, bases());
  apply(in, all.view(), context);
  for (std::size_t i = 0; i < in.rows; ++i)
    std::copy_n(all.values.data() + i * all.cols + first, out.cols, out.row(i));
}

std::unique_ptr<Similarity> Similarity::choose_bases(std::span<const std::uint32_t>) const {
  throw Error("the measure does not choose among its bases");
}

void Similarity::compare_with_itself(MatrixView, float*) const {
  throw Error("the measure does not compare a sample with itself");
}

void Similarity::compare_plainly(MatrixView, MatrixView, double*) const {
  throw Error("the measure does not compute its values by definition");
}

void Similarity::compare_with_gradient(MatrixView, MatrixView, double*, double*) const {
  throw Error("the measure has no gradient");
}

void Similarity::kept_basis(std::size_t, std::span<float>) const {
  throw Error("the measure does not keep its bases");
}

void Similarity::kept_values(std::size_t basis, std::span<const std::size_t> columns,
                             std::size_t width, std::span<float> values) const {
  std::vector<float> row(width);
  kept_basis(basis, row);
  for (std::size_t k = 0; k < columns.size(); ++k) values[k] = row[columns[k]];
}

void Similarity::compare_parts(std::span<const float>, std::span<const float>,
                               std::span<double>) const {
  throw Error("the measure is no sum or product over columns");
}

void PairKernel::evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept {
  for (std::size_t j = 0; j < k.count; ++j)
    out[j] = static_cast<float>(
        evaluate({k.ac[j], k.ad[j], k.bc[j], k.bd[j], k.order ? k.order[j] : 0.0}));
}

std::filesystem::path Context::scratch_folder() {
  std::error_code failure;
  auto folder = std::filesystem::temp_directory_path(failure);
  if (failure) throw Error("there is no folder for temporary files; set TMPDIR to one");
  return folder;
}

Device* Context::device() noexcept { return nullptr; }

NotesUnknownRows::~NotesUnknownRows() = default;

void note_unknown_row(Context& context, std::size_t row) {
  if (auto* const notes = dynamic_cast<NotesUnknownRows*>(&context)) notes->unknown_row(row);
}

void Context::check_stop() const {
  if (stop_requested() != StopReason::none) throw Cancelled();
}

const char* name(Certificate certificate) noexcept {
  switch (certificate) {
    case Certificate::converged:
      return "converged";
    case Certificate::passes_made:
      return "all passes made";
    case Certificate::iteration_limit:
      return "iteration limit";
    case Certificate::deadline:
      return "deadline";
    case Certificate::cancelled:
      return "cancelled";
  }
  return "unknown";
}

Certificate stop_certificate(const Context& context) noexcept {
  return context.stop_requested() == StopReason::deadline ? Certificate::deadline
                                                          : Certificate::cancelled;
}

}  // namespace semblance
