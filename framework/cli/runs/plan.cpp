// SPDX-License-Identifier: MIT
#include "runtime/session/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "cli/pipeline_options.hpp"
#include "cli/verb.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/ranks/row_share.hpp"
#include "runtime/run/cross_validated.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/session/session.hpp"
#include "semblance/shared_work.hpp"
#include "study/selection.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {

namespace {

/// The action of a node in the run: "compute", "learn", "from the store", "not needed".
const char* action(const NodeFacts& node, const NodePlan& plan) {
  const bool stored = plan.rows == RowsPlan::stored;
  // A map gets its bases instead of learning them.
  if (plan.learns()) return node.bases ? "compute" : "learn";
  if (plan.used() && !stored && node.gives_rows()) return "compute";
  if (plan.learning == Learning::restore || stored) return "from the store";
  return "not needed";
}

/// The operations of a similarity's products per second on one thread of a current machine, as an
/// order of magnitude.
constexpr double operations_per_second = 6e10;

/// Whether the node computes something without an operation count: its time depends on the data.
bool unknown_time(const NodeFacts& node, const NodePlan& plan) {
  return plan.learns() && plan.operations == 0 &&
         (includes(node.demands.learns_from, RowsOf::training) ||
          node.spec->info().output->type == PortType::basis);
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

/// The bytes of training rows that are sent to the first rank so that the node learns there; 0: it
/// learns on all ranks, or not from rows. Evaluators get scores, which are few.
std::size_t gathered_bytes(const RunProgress& progress, std::size_t i) {
  const Node& node = progress.node(i);
  const NodeFacts& facts = node.facts();
  if (!progress.plan(i).learns() || facts.demands.learns_from == RowsOf::none ||
      !facts.judged.empty() || facts.learns_where == LearnsWhere::everywhere)
    return 0;
  const std::size_t rows =
      node.scoring() ? rows_learned_from(facts).count : facts.outline->train_rows;
  std::size_t bytes = 0;
  for (const std::size_t input : facts.inputs)
    bytes += expected_row_bytes(progress.facts(input), rows);
  return bytes;
}

/// Which nodes learn on the first rank of a planned run, and what it receives for them.
void print_gathering(const RunProgress& progress) {
  const std::size_t budget = progress.options().memory;
  fmt::print("{} ranks of {} threads each; figures are for the rank with the most rows\n",
             progress.purpose().planned_ranks, progress.options().threads);
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const std::size_t bytes = gathered_bytes(progress, i);
    if (bytes == 0) continue;
    const std::size_t needed = fixed_bytes(progress.plan()) + progress.plan().kept_bytes + bytes;
    fmt::print("'{}' ({}) learns on the first rank, which receives all its training rows, {}{}\n",
               progress.facts(i).name(), progress.facts(i).spec->component.id,
               bytes_text(static_cast<double>(bytes)),
               needed <= budget ? ""
                                : fmt::format("; with what it holds already that is {}, more than "
                                              "--memory {}: the rest is kept on its disk",
                                              bytes_text(static_cast<double>(needed)),
                                              bytes_text(static_cast<double>(budget))));
  }
}

/// A line of the plan: one node, or all nodes of a study that have its name, its component, and the
/// same to do.
struct PlanLine {
  std::string name;
  std::string component;
  std::string action;
  std::string rows;
  std::size_t nodes = 0;
  std::size_t kept_bytes = 0;
  double seconds = 0;
  bool unknown = false;
};

/// Adds to a line of the same name, component and action if there is one.
void add(std::vector<PlanLine>& lines, PlanLine line) {
  const auto same = [&](const PlanLine& l) {
    return l.name == line.name && l.component == line.component && l.action == line.action;
  };
  const auto found = std::ranges::find_if(lines, same);
  if (found == lines.end()) return lines.push_back(std::move(line));
  if (found->rows != line.rows) found->rows = "various";
  ++found->nodes;
  found->kept_bytes += line.kept_bytes;
  found->seconds += line.seconds;
  found->unknown = found->unknown || line.unknown;
}

/// The lines of the nodes, `all` or together.
std::vector<PlanLine> plan_lines(const RunProgress& progress, bool all) {
  const std::size_t ranks = progress.purpose().planned_ranks;
  const RowShare share = largest_share(std::max<std::size_t>(1, ranks));
  std::vector<PlanLine> lines;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const NodeFacts& node = progress.facts(i);
    const auto& plan = progress.plan(i);
    if (!is_listed(progress, i)) continue;
    PlanLine line{node.name(), node.spec->component.id, action(node, plan), "", 1, plan.kept_bytes};
    if (ranks == 0)
      line.seconds =
          plan.operations / operations_per_second / static_cast<double>(progress.options().threads);
    line.unknown = unknown_time(node, plan);
    if (node.gives_rows() && plan.used())
      line.rows =
          fmt::format("{} x {}", share(wanted_rows(node, plan), *node.outline), node.output.size());
    if (all) {
      lines.push_back(std::move(line));
    } else {
      line.name = line.name.substr(0, line.name.find_first_of("[#"));
      add(lines, std::move(line));
    }
  }
  return lines;
}

/// Without `all`, what fits a screen.
void print_lines(const std::vector<PlanLine>& lines, bool all) {
  constexpr std::size_t most = 16;
  const std::size_t shown = all || lines.size() <= most ? lines.size() : most;
  std::size_t width = 16;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, lines[i].name.size());
  const auto print = [&](const auto&... columns) {
    fmt::print("{:<{}} {:<28} {:<15} {:>20} {:>10} {:>9}{}\n", columns...);
  };
  print("node", width, "component", "", "rows x values", "kept", "about", "");
  for (std::size_t i = 0; i < shown; ++i) {
    const PlanLine& line = lines[i];
    print(line.name, width, line.component, line.action, line.rows,
          line.kept_bytes > 0 ? bytes_text(static_cast<double>(line.kept_bytes)) : "",
          line.unknown       ? "unknown"
          : line.seconds > 0 ? seconds_text(line.seconds)
                             : "",
          line.nodes > 1 ? fmt::format("  {} nodes", line.nodes) : "");
  }
  if (shown < lines.size())
    fmt::print("and {} more lines; --all lists every node\n", lines.size() - shown);
}

/// A study's nodes are listed together unless `all` are wanted.
void print_plan(const RunProgress& progress, bool all) {
  const auto lines = plan_lines(progress, all);
  print_lines(lines, all);
  double total = 0;
  for (const PlanLine& line : lines) total += line.seconds;
  fmt::print("\n{} in memory throughout: the program, the data sets, and {} blocks of rows of {}\n",
             bytes_text(static_cast<double>(fixed_bytes(progress.plan()))), progress.plan().blocks,
             bytes_text(static_cast<double>(progress.plan().block_bytes)));
  fmt::print(
      "kept in total: {}; memory budget: {}{}{}\n",
      bytes_text(static_cast<double>(progress.plan().kept_bytes)),
      bytes_text(static_cast<double>(progress.options().memory)),
      progress.plan().kept_bytes > progress.options().memory ? " (the rest is kept on disk)" : "",
      total_text(progress, total));
  if (progress.purpose().planned_ranks > 0) print_gathering(progress);
}

/// The names of the parameters in which the nodes' components differ, such as C.
std::vector<std::string> differing_parameters(const RunProgress& progress,
                                              const std::vector<std::size_t>& nodes) {
  const ComponentConfig& first = progress.facts(nodes.front()).spec->component;
  std::vector<std::string> differing;
  for (const auto& [name, value] : first.values)
    if (std::ranges::any_of(nodes, [&](std::size_t i) {
          return std::ranges::none_of(progress.facts(i).spec->component.values, [&](const auto& v) {
            return v.first == name && v.second == value;
          });
        }))
      differing.push_back(name);
  return differing;
}

/// "svm: 10 trainings on the same samples, which differ in C, share their kernel values (5 times)".
std::vector<std::string> sharing_lines(const RunProgress& progress) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  for (std::vector<std::size_t> nodes : sharing_groups(progress.graph())) {
    std::erase_if(nodes, [&](std::size_t i) { return !progress.plan(i).learns(); });
    if (nodes.size() < 2) continue;
    const NodeFacts& first = progress.facts(nodes.front());
    const auto differing = differing_parameters(progress, nodes);
    const std::string text =
        fmt::format("{}: {} trainings on the same samples{} share their {}",
                    first.name().substr(0, first.name().find('[')), nodes.size(),
                    differing.empty() ? "" : ", which differ in " + enumerate(differing) + ",",
                    progress.graph().node(first.index).as<SharesWork>().name_of_shared_work());
    const auto known = std::ranges::find(counted, text, [](const auto& c) { return c.first; });
    if (known == counted.end())
      counted.emplace_back(text, 1);
    else
      ++known->second;
  }
  std::vector<std::string> lines;
  for (const auto& [text, count] : counted)
    lines.push_back(count == 1 ? text : fmt::format("{} ({} times)", text, count));
  return lines;
}

/// What the trials of a selection share while they train.
void print_sharing_trials(const SelectingPipeline& pipeline, const Catalogue& catalogue,
                          const RunOptions& settings) {
  StudySession trials(pipeline.selection->trials, catalogue, settings, true);
  trials.prepare();
  trials.session->journal().close_display();
  for (const std::string& line : sharing_lines(trials.session->progress()))
    fmt::print("in its trials, {}\n", line);
}

/// 0 without --ranks. Throws UsageError.
std::size_t planned_ranks(const options::variables_map& values) {
  if (!values.count("ranks")) return 0;
  const int ranks = values["ranks"].as<int>();
  constexpr int most = 100000;
  if (ranks < 1 || ranks > most)
    throw UsageError(fmt::format("--ranks must be between 1 and {}, got {}", most, ranks));
  return static_cast<std::size_t>(ranks);
}

int plan_study(const std::string& file, const Catalogue& catalogue, const CheckOptions& checking,
               const RunOptions& settings, bool all) {
  const auto study = checked_study(file, catalogue, checking);
  if (!study) return wrong_usage;
  const Study judged = judged_study(*study, catalogue, settings);
  StudySession open(judged, catalogue, settings, true);
  open.prepare();
  open.session->journal().close_display();
  print_plan(open.session->progress(), all);
  fmt::print("{} variants with {} nodes; shared: {} nodes\n", judged.variants.size(),
             open.merged.nodes_before, open.merged.pipeline.nodes.size());
  for (const std::string& line : sharing_lines(open.session->progress())) fmt::print("{}\n", line);
  if (!study->steps.empty())
    fmt::print("this is the first of {} steps{}\n", study->steps.size(), steps_text(*study));
  return done;
}

}  // namespace

int plan_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("plan");
  options::options_description described("options", 100);
  add_pipeline_options(described);
  add_run_options(described);
  add_store_options(described);
  described.add_options()("all", "list every node of a study, not those of a name together")(
      "ranks", takes<int>("N"),
      "plan a run over this many ranks (run --mpi); --threads and --memory are per rank");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = pipeline_argument(*values, verb);
  RunOptions settings = run_options(*values);
  settings.out.clear();  // nothing is run or written
  const std::size_t ranks = planned_ranks(*values);
  const Discovery found = discover(*values);
  if (ranks > 0 && is_study(file))
    throw UsageError(
        "a study is not run over ranks, but by several workers: ablate --join; "
        "--ranks is for pipelines");
  if (is_study(file))
    return plan_study(file, found.catalogue, check_options(*values), settings,
                      values->count("all") > 0);
  const auto pipeline = checked_pipeline(file, found.catalogue, check_options(*values));
  if (!pipeline) return wrong_usage;
  Session session(*pipeline, found.catalogue, settings,
                  {.cross_validated = pipeline->selection != nullptr, .planned_ranks = ranks});
  session.prepare();
  session.journal().close_display();
  print_plan(session.progress(), true);
  if (pipeline->selection) {
    fmt::print("this is the run with the values as given{}\n", selection_text(*pipeline));
    if (ranks == 0) print_sharing_trials(*pipeline, found.catalogue, settings);
  }
  return done;
}

}  // namespace semblance::cli
