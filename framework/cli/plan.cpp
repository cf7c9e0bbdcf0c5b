// SPDX-License-Identifier: MIT
#include "runtime/session/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/pipeline_options.hpp"
#include "cli/planned_ranks.hpp"
#include "runtime/run/cross_validated.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/session/session.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

/// The operations of a similarity's products per second on one thread of a current machine, as an
/// order of magnitude.
constexpr double operations_per_second = 6e10;

/// Whether the node computes something without an operation count: its time depends on the data.
bool unknown_time(const NodeFacts& node, const NodePlan& plan) {
  return plan.learns() && plan.operations == 0 &&
         (includes(node.demands.learns_from, RowsOf::training) ||
          node.spec->info().output->type == PortType::basis);
}

/// "2 min", or "not known" where nothing was counted.
std::string time_text(const RunProgress& progress, std::size_t i, double seconds) {
  if (unknown_time(progress.facts(i), progress.plan(i))) return "unknown";
  return seconds > 0 ? seconds_text(seconds) : "";
}

/// The total time of all similarities, and which times are unknown.
std::string total_text(const RunProgress& progress, double seconds) {
  std::string text;
  if (seconds > 0)
    text = fmt::format("; similarities: about {} on {} threads", seconds_text(seconds),
                       progress.options().threads);
  std::size_t solvers = 0;
  for (std::size_t i = 0; i < progress.size(); ++i)
    solvers +=
        progress.node(i).scoring() != nullptr && unknown_time(progress.facts(i), progress.plan(i));
  if (solvers > 0) text += "; the training time is unknown";
  return text;
}

/// Scorers of held-out samples are listed only if they are to be computed.
bool is_listed(const RunProgress& progress, std::size_t i) {
  const NodePlan& plan = progress.plan(i);
  return !progress.facts(i).spec->held_out || plan.learns() || plan.used();
}

void print_plan(const RunProgress& progress) {
  std::size_t width = 16;
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (is_listed(progress, i)) width = std::max(width, progress.facts(i).name().size());
  fmt::print("{:<{}} {:<28} {:<15} {:>20} {:>10} {:>9}\n", "node", width, "component", "",
             "rows x values", "kept", "about");
  double total = 0;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const NodeFacts& node = progress.facts(i);
    const auto& plan = progress.plan(i);
    if (!is_listed(progress, i)) continue;
    const RowSpan rows = wanted_rows(node, plan);
    const double seconds =
        plan.operations / operations_per_second / static_cast<double>(progress.options().threads);
    total += seconds;
    fmt::print("{:<{}} {:<28} {:<15} {:>20} {:>10} {:>9}\n", node.name(), width,
               node.spec->component.id, action(node, plan),
               node.gives_rows() && plan.used()
                   ? fmt::format("{} x {}", rows.count, node.output.size())
                   : "",
               plan.kept_bytes ? bytes_text(static_cast<double>(plan.kept_bytes)) : "",
               time_text(progress, i, seconds));
  }
  fmt::print("\n{} in memory throughout: the program, the data sets, and {} blocks of rows of {}\n",
             bytes_text(static_cast<double>(fixed_bytes(progress.plan()))), progress.plan().blocks,
             bytes_text(static_cast<double>(progress.plan().block_bytes)));
  fmt::print(
      "kept in total: {}; memory budget: {}{}{}\n",
      bytes_text(static_cast<double>(progress.plan().kept_bytes)),
      bytes_text(static_cast<double>(progress.options().memory)),
      progress.plan().kept_bytes > progress.options().memory ? " (the rest is kept on disk)" : "",
      total_text(progress, total));
}

int plan_study(const std::string& file, const Catalogue& catalogue, const CheckOptions& checking,
               const RunOptions& settings) {
  const auto study = checked_study(file, catalogue, checking);
  if (!study) return wrong_usage;
  const Study judged = judged_study(*study, catalogue, settings);
  StudySession open(judged, catalogue, settings, true);
  open.prepare();
  open.session->journal().close_display();
  print_plan(open.session->progress());
  fmt::print("{} variants with {} nodes; shared: {} nodes\n", judged.variants.size(),
             open.merged.nodes_before, open.merged.pipeline.nodes.size());
  if (!study->steps.empty())
    fmt::print("this is the first of {} steps{}\n", study->steps.size(), steps_text(*study));
  return done;
}

}  // namespace

const char* action(const NodeFacts& node, const NodePlan& plan) {
  const bool stored = plan.rows == RowsPlan::stored;
  // A map gets its bases instead of learning them.
  if (plan.learns()) return node.bases ? "compute" : "learn";
  if (plan.used() && !stored && node.gives_rows()) return "compute";
  if (plan.learning == Learning::restore || stored) return "from the store";
  return "not needed";
}

int plan_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("plan");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  add_run_options(described);
  add_store_options(described);
  add_planned_ranks_options(described);
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = required_argument(*values, verb);
  RunOptions settings = run_options(*values);
  settings.out.clear();  // nothing is run or written
  const auto ranks = planned_ranks(*values);
  const Discovery found = discover(*values);
  if (ranks && is_study(file))
    throw UsageError(
        "a study is not run over ranks, but by several workers: ablate --join; "
        "--ranks is for pipelines");
  if (is_study(file)) return plan_study(file, found.catalogue, check_options(*values), settings);
  const auto pipeline = checked_pipeline(file, found.catalogue, check_options(*values));
  if (!pipeline) return wrong_usage;
  Session session(*pipeline, found.catalogue, settings,
                  {.cross_validated = pipeline->selection != nullptr,
                   .planned_ranks = ranks ? ranks->count : 0});
  session.prepare();
  session.journal().close_display();
  const bool json = ranks && values->count("json") > 0;
  if (ranks)
    print_plan_of_ranks(session.progress(), session.data(), *ranks, json);
  else
    print_plan(session.progress());
  if (pipeline->selection && !json)
    fmt::print("this is the run with the values as given{}\n", selection_text(*pipeline));
  return done;
}

}  // namespace semblance::cli
