// SPDX-License-Identifier: MIT
// Every component stops soon after a request, on samples with many classes, columns or rows.
// Measures processor time on one thread, so the load of the machine does not matter.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <iostream>
#include <numeric>
#include <set>

#include "conformance/recorded.hpp"
#include "conformance/subject.hpp"
#include "program.hpp"
#include "registry/discovery.hpp"
#include "registry/plugin_library.hpp"
#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/testing.hpp"

namespace semblance::stops_test {
namespace {

namespace fs = std::filesystem;
using conformance::NotApplicable;
using conformance::Subject;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Requests a stop after some time, and records the longest time without polling.
class ImpatientContext final : public testing::TestContext {
 public:
  explicit ImpatientContext(double seconds) : TestContext(1), seconds_(seconds) {
    budget = std::size_t{8} << 30;
  }

  StopReason stop_requested() const noexcept override {
    const double now = processor_seconds();
    longest_ = std::max(longest_, now - last_);
    last_ = now;
    return now - begin_ > seconds_ ? StopReason::deadline : StopReason::none;
  }

  /// The longest time until the next question, or until now.
  double longest() const { return std::max(longest_, processor_seconds() - last_); }

 private:
  double seconds_;
  double begin_ = processor_seconds();
  mutable double last_ = begin_;
  mutable double longest_ = 0;
};

struct Samples {
  std::string name;
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  Layout layout;
};

Samples samples(const std::string& name, std::size_t rows, const Layout& layout,
                std::size_t classes) {
  Samples made{name, FloatMatrix(rows, layout.size()), {}, {}, layout};
  Random random(5);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = i % classes;
    made.labels.push_back(static_cast<std::int32_t>(label));
    Random centre = Random::stream(7, label);
    for (float& x : made.values.view().row_span(i))
      x = static_cast<float>(std::abs(centre.normal() + random.normal()));
  }
  for (std::size_t c = 0; c < classes; ++c) made.classes.push_back(std::to_string(c));
  return made;
}

/// All that components are tried on, made once.
const std::vector<Samples>& all_samples() {
  // A thousand classes make half a million problems. With more, the speed of memory allocation
  // dominates: virtual machines take 20 microseconds per page.
  static const std::vector<Samples> all = {samples("many classes", 5000, Layout::vector(4), 1000),
                                           samples("many columns", 60, Layout::vector(20'000), 3),
                                           samples("many rows", 100'000, Layout::vector(3), 3),
                                           samples("grids", 300, Layout::grid(12, 12, 31), 10),
                                           samples("images", 60, Layout::image(256, 256, 1), 10)};
  return all;
}

std::vector<const Samples*> samples_for(const ComponentInfo& info) {
  std::vector<const Samples*> found;
  const auto& layouts = info.inputs.at(0).layouts;
  const auto takes = [&](LayoutKind kind) {
    return layouts.empty() || std::ranges::find(layouts, kind) != layouts.end();
  };
  const bool vectors = takes(LayoutKind::vector);
  for (const Samples& set : all_samples()) {
    const LayoutKind kind = set.layout.kind;
    if (vectors ? kind == LayoutKind::vector : takes(kind)) found.push_back(&set);
  }
  return found;
}

/// The blocks passed by the runtime.
void map(const Transform& transform, const Samples& set, Context& context) {
  const std::size_t cols = const_cast<Transform&>(transform).bind(set.layout).size();
  FloatMatrix out(block_rows, cols);
  for (std::size_t first = 0; first < set.values.rows; first += block_rows) {
    context.check_stop();
    const std::size_t count = std::min(block_rows, set.values.rows - first);
    transform.apply(set.values.view().rows_range(first, count), out.view().rows_range(0, count),
                    context);
  }
}

void use_transform(Transform& transform, const Samples& set, const TrainingSet& training,
                   Context& context) {
  transform.bind(set.layout);
  testing::MemoryReport report;
  if (auto* normalizer = dynamic_cast<Normalizer*>(&transform)) normalizer->fit(training, context);
  if (auto* similarity = dynamic_cast<Similarity*>(&transform)) {
    const std::size_t bases = std::min<std::size_t>(2000, set.values.rows);
    std::vector<std::int64_t> numbers(bases);
    std::iota(numbers.begin(), numbers.end(), 0);
    similarity->set_bases(set.values.view().rows_range(0, bases), numbers, context);
  }
  if (auto* learner = dynamic_cast<Learner*>(&transform)) learner->train(training, report, context);
  conformance::RecordedState state;
  transform.save(state);
  map(transform, set, context);
}

void use_pair_solver(PairSolver& solver, const Samples& set, const Rows& rows, Context& context) {
  solver.bind(set.layout);
  std::vector<std::int32_t> chosen(std::min<std::size_t>(600, set.values.rows));
  std::iota(chosen.begin(), chosen.end(), 0);
  const PairSet pairs = PairSet::all_of(
      chosen, {set.labels.begin(), set.labels.begin() + std::ptrdiff_t(chosen.size())}, true);
  testing::MemoryReport report;
  solver.train({rows, set.layout, pairs}, report, context);
  std::vector<float> out(pairs.size());
  solver.score(rows, pairs, out, context);
}

/// The results to judge took their time, so the evaluator has a limit of its own.
void judge_impatiently(Context& context,
                       const std::function<void(Report& report, Context& own)>& evaluate) {
  testing::MemoryReport report;
  ImpatientContext own(0.3);
  try {
    evaluate(report, own);
  } catch (const Cancelled&) {
  }
  CHECK(own.longest() < 1);
  context.check_stop();
}

/// Judges scores, or estimates of one number for each class, or novelty scores.
void use_evaluator(const Evaluator& evaluator, PortType type, const Samples& set,
                   Context& context) {
  const Needs needs = evaluator.needs();
  if (needs.probes) throw NotApplicable("it looks at planes");
  if (needs.explanations) throw NotApplicable("it lets the solver be explained");
  if (needs.samples) throw NotApplicable("it looks at the samples of a data set");
  const bool novelty = type == PortType::novelty;
  const std::size_t rows =
      novelty ? set.values.rows : std::min<std::size_t>(set.values.rows, 20'000);
  FloatMatrix outputs(rows, novelty ? 1 : set.classes.size());
  std::vector<double> targets(outputs.values.size());
  Random random(3);
  for (std::size_t k = 0; k < targets.size(); ++k) {
    targets[k] = random.normal();
    outputs.values[k] = static_cast<float>(targets[k] + 0.1 * random.normal());
  }
  FloatMatrix shares(rows, 4);
  std::ranges::fill(shares.values, 0.25F);
  Lineage lineage{"solver/linear_svm", set.layout.size(), rows, {}, {}, {}};
  lineage.maps.push_back({"map", "similarity/rbf", 24, 6, 20, "samples", "bases"});
  lineage.tables.push_back({"problems", "problem", "", set.classes, {"squared norm"}, {}});
  lineage.tables[0].values.assign(set.classes.size(), 1.0);
  Results test{std::as_const(outputs).view(), std::span(set.labels).first(rows), set.classes,
               std::move(lineage)};
  test.type = type;
  test.targets = targets;
  test.target_names = set.classes;
  if (needs.shares) test.shares = std::as_const(shares).view();
  evaluator.check_scores({"mine", "solver/mine", set.classes, false, false, type});
  judge_impatiently(context,
                    [&](Report& report, Context& own) { evaluator.evaluate(test, report, own); });
}

void use(const Subject& subject, const Samples& set, Context& context) {
  const testing::MemoryRows rows(set.values);
  const std::vector<std::size_t> widths = {set.layout.size()};
  const std::vector<std::string> names = {"x"};
  TrainingSet training{rows, set.layout, set.labels, set.classes};
  training.widths = widths;
  training.inputs = names;
  const std::vector<double> numbers(set.labels.begin(), set.labels.end());
  const std::vector<std::int32_t> no_labels(set.labels.size(), -1);
  if (!subject.info().takes(TargetKind::classes)) {
    training.labels = no_labels;
    training.classes = {};
    training.targets = numbers;
    training.target_names = names;
  }
  const std::unique_ptr<Component> made = subject.create(subject.config());
  if (auto* transform = dynamic_cast<Transform*>(made.get()))
    use_transform(*transform, set, training, context);
  else if (auto* solver = dynamic_cast<PairSolver*>(made.get()))
    use_pair_solver(*solver, set, rows, context);
  else if (auto* basis = dynamic_cast<Basis*>(made.get()))
    basis->select(training, context);
  else if (auto* evaluator = dynamic_cast<Evaluator*>(made.get())) {
    const PortType judged = subject.info().inputs.at(0).type;
    testing::MemoryReport report;
    if (judged == PortType::samples)
      evaluator->evaluate({.type = judged, .training = &training}, report, context);
    else
      use_evaluator(*evaluator, judged, set, context);
  }
}

bool learns_or_maps(const ComponentInfo& info) {
  const auto kind = info.kind();
  return kind == "feature" || kind == "normalizer" || kind == "similarity" || kind == "solver" ||
         kind == "basis" ||
         (kind == "evaluator" && info.inputs.at(0).type != PortType::pair_scores);
}

using Given = std::map<std::string, Value>;

/// Uses of the component with separate loops; few bases and models, so that sixty rows suffice.
std::vector<Given> ways(const ComponentInfo& info) {
  Given few;
  for (const auto& [name, value] : Given{{"per_class", std::int64_t{1}},
                                         {"count", std::int64_t{20}},
                                         {"anchors", std::int64_t{16}},
                                         {"models", std::int64_t{2}}})
    if (info.parameter(name)) few[name] = value;
  if (info.id == "evaluator/novelty") few["normal"] = std::string("0");
  std::vector<Given> all{few};
  const auto add = [&](const char* name, const char* value) {
    all.push_back(few);
    all.back()[name] = std::string(value);
  };
  if (info.id == "solver/linear_svm") add("multiclass", "crammer_singer"), add("regularizer", "l1");
  if (info.id == "solver/kernel_svm") add("multiclass", "one_versus_rest");
  if (info.id == "solver/lcc") add("coding", "neighbours");
  if (info.id == "solver/pairwise_newton") add("products", "pairs");
  return all;
}

/// The longest time that the component went without asking.
double longest_wait(const Subject& subject, const Samples& set) {
  // The libraries' own loops cannot be interrupted, as documented on their pages.
  constexpr double patience = 1.5;
  ImpatientContext context(patience);
  try {
    use(subject, set, context);
  } catch (const Cancelled&) {
  } catch (const NotApplicable&) {
    return 0;
  } catch (const Error& refusal) {
    MESSAGE(std::string(subject.info().id + " on " + set.name + ": " + refusal.what()));
  }
  return context.longest();
}

TEST_CASE("every component stops within a second") {
  PluginSearch search;
  search.installed = fs::path(SEMBLANCE_PLUGINS);
  const Catalogue catalogue = discover_plugins(search).catalogue;
  const char* const only = std::getenv("SEMBLANCE_STOPS_OF");
  std::set<fs::path> files;
  for (const auto& item : fs::directory_iterator(search.installed))
    if (item.path().extension() == ".so") files.insert(item.path());
  std::size_t number = 0;
  for (const fs::path& file : files) {
    const PluginLibrary library(file);
    for (const auto& entry : library.table().entries) {
      const std::string& id = entry.info.id;
      if (!learns_or_maps(entry.info) || id.starts_with("solver/lib")) continue;
      if (only != nullptr && id.find(only) == std::string::npos) continue;
      ++number;  // so that not all components have the same samples on one day
      for (const Given& given : ways(entry.info))
        for (const Samples* set : samples_for(entry.info)) {
          if (!testing::of_the_day(number++, 7) && only == nullptr) continue;
          const Subject subject(entry, catalogue, given);
          const double waited = longest_wait(subject, *set);
          CAPTURE(id);
          CAPTURE(set->name);
          if (only != nullptr) std::cout << id << ", " << set->name << ": " << waited << " s\n";
          CHECK(waited < 1);
        }
    }
  }
}

}  // namespace
}  // namespace semblance::stops_test
