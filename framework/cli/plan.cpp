// SPDX-License-Identifier: MIT
#include "runtime/session/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/pipeline_options.hpp"
#include "cli/verb.hpp"
#include "runtime/run/cross_validated.hpp"
#include "runtime/run/plan_of_ranks.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/run/trials_in_turn.hpp"
#include "runtime/session/session.hpp"
#include "semblance/shared_work.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {

namespace {

/// The ranks of a run for planning only, and the network between them.
struct PlannedRanks {
  std::size_t count = 0;
  std::optional<double> bits_per_second;
};

/// The action of a node in the run: "compute", "learn", "from the store", "not needed".
const char* action(const NodeFacts& node, const NodePlan& plan) {
  const bool stored = plan.rows == RowsPlan::stored;
  // A map gets its bases instead of learning them.
  if (plan.learns()) return node.bases ? "compute" : "learn";
  if (plan.used() && !stored && node.gives_rows()) return "compute";
  if (plan.learning == Learning::restore || stored) return "from the store";
  return "not needed";
}

using Json = nlohmann::ordered_json;

std::string bytes_shown(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

const char* learns_text(const NodeOfRanks& node) {
  if (!node.on) return "";
  return *node.on == LearnsWhere::first_rank ? "on the first" : "on all ranks";
}

std::string sent_text(const NodeOfRanks& node) {
  if (!node.on) return "";
  if (node.gathered > 0) return bytes_shown(node.gathered) + " in all";
  return node.exchange.bytes > 0 ? bytes_text(node.exchange.bytes) + " a step" : "unknown";
}

std::string rows_time_text(const NodeOfRanks& node) {
  if (!node.seconds) return "unknown";
  return *node.seconds > 0 ? seconds_text(*node.seconds) : "";
}

class PlanText {
 public:
  PlanText(const RunProgress& progress, const PlannedRanks& ranks,
           const std::vector<NodeOfRanks>& nodes)
      : progress_(progress), ranks_(ranks), nodes_(nodes) {}

  void print() const {
    table();
    memory();
    time();
    for (std::size_t i = 0; i < nodes_.size(); ++i) learning(i);
    for (std::size_t i = 0; i < nodes_.size(); ++i) warn(i);
  }

 private:
  void table() const {
    fmt::print("{:<16} {:<28} {:<15} {:>20} {:>10} {:>9}  {:<12} {}\n", "node", "component", "",
               "rows of a rank", "kept", "about", "learns", "a rank sends");
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeFacts& node = progress_.facts(i);
      const NodePlan& plan = progress_.plan(i);
      const std::string line = fmt::format(
          "{:<16} {:<28} {:<15} {:>20} {:>10} {:>9}  {:<12} {}", node.name(),
          node.spec->component.id, action(node, plan),
          nodes_[i].rows > 0 ? fmt::format("{} x {}", nodes_[i].rows, node.output.size()) : "",
          plan.kept_bytes > 0 ? bytes_shown(plan.kept_bytes) : "", rows_time_text(nodes_[i]),
          learns_text(nodes_[i]), sent_text(nodes_[i]));
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }

  void memory() const {
    const Plan& plan = progress_.plan();
    fmt::print(
        "\n"
        "{} ranks of {} threads each; figures are for the rank with the most rows\n"
        "{} in memory throughout: the program, the data sets, and {} blocks of rows of {}\n"
        "kept in total: {}; memory budget of a rank: {}{}; not counted: what nodes have learned, "
        "and what solvers work with\n",
        ranks_.count, progress_.options().threads, bytes_shown(fixed_bytes(plan)), plan.blocks,
        bytes_shown(plan.block_bytes), bytes_shown(plan.kept_bytes),
        bytes_shown(progress_.options().memory),
        plan.kept_bytes > progress_.options().memory ? " (the rest is kept on disk)" : "");
  }

  void time() const {
    double total = 0;
    std::string unknown;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      total += nodes_[i].seconds.value_or(0);
      if (!nodes_[i].seconds)
        unknown.append(unknown.empty() ? "'" : ", '").append(progress_.facts(i).name()).append("'");
    }
    fmt::print(
        "rows: about {}, by rates measured on one thread of this machine, as if threads did not "
        "slow each other down, not counting the time to open the data{}\n",
        seconds_text(total), unknown.empty() ? "" : "; unknown: " + unknown);
  }

  void learning(std::size_t i) const {
    const NodeOfRanks& node = nodes_[i];
    if (!node.on || node.exchange.bytes == 0) return;
    std::string text =
        fmt::format("'{}' learns on all ranks: a rank sends {} in each step that it repeats",
                    progress_.facts(i).name(), bytes_text(node.exchange.bytes));
    text += network_text(node.exchange.bytes, 1);
    if (node.exchange.steps > 0)
      text += fmt::format(", in {} steps{}", quantity_text(node.exchange.steps, 3),
                          network_text(node.exchange.bytes, node.exchange.steps));
    text += fmt::format(
        "; {}what the steps compute, and what is sent besides (semblance describe "
        "{}) is unknown",
        node.exchange.steps > 0 ? "" : "how many, ", progress_.facts(i).spec->component.id);
    fmt::print("{}\n", text);
  }

  /// The time of this traffic, if the network is known.
  std::string network_text(double bytes, double steps) const {
    if (!ranks_.bits_per_second) return "";
    const double seconds = steps * exchange_seconds(bytes, ranks_.count, *ranks_.bits_per_second);
    return fmt::format(
        " ({} on this network if it is a sum)",
        seconds < 0.01 ? fmt::format("{:.2g} ms", 1e3 * seconds) : seconds_text(seconds));
  }

  void warn(std::size_t i) const {
    const std::size_t gathered = nodes_[i].gathered;
    const Plan& plan = progress_.plan();
    if (gathered == 0) return;
    const std::size_t needed = fixed_bytes(plan) + plan.kept_bytes + gathered;
    if (needed <= progress_.options().memory) return;
    fmt::print(stderr,
               "warning: '{}' ({}) learns on the first rank, which is sent all training rows for "
               "it, {}; with what it holds already that is {}, more than --memory {}: the rest is "
               "kept on its disk\n",
               progress_.facts(i).name(), progress_.facts(i).spec->component.id,
               bytes_shown(gathered), bytes_shown(needed), bytes_shown(progress_.options().memory));
  }

  const RunProgress& progress_;
  const PlannedRanks& ranks_;
  const std::vector<NodeOfRanks>& nodes_;
};

/// Unknown values are null.
Json known_or_null(double value) { return value > 0 ? Json(value) : Json(); }

Json planned_node_json(const RunProgress& progress, std::size_t i, const NodeOfRanks& node,
                       const PlannedRanks& ranks) {
  Json json = {{"component", progress.facts(i).spec->component.id},
               {"action", action(progress.facts(i), progress.plan(i))},
               {"rows", node.rows},
               {"kept_bytes", progress.plan(i).kept_bytes},
               {"seconds", node.seconds ? Json(*node.seconds) : Json()}};
  if (node.rows > 0) json["values"] = progress.facts(i).output.size();
  if (!node.on) return json;
  json["learns"] = learns_text(node);
  if (node.gathered > 0) {
    json["gathered_bytes"] = node.gathered;
    return json;
  }
  json["step_bytes"] = known_or_null(node.exchange.bytes);
  json["steps"] = known_or_null(node.exchange.steps);
  if (ranks.bits_per_second && node.exchange.bytes > 0)
    json["step_network_seconds"] =
        exchange_seconds(node.exchange.bytes, ranks.count, *ranks.bits_per_second);
  return json;
}

void print_plan_json(const RunProgress& progress, const PlannedRanks& ranks,
                     const std::vector<NodeOfRanks>& nodes) {
  const Plan& plan = progress.plan();
  Json json = {{"pipeline", progress.graph().pipeline->name},
               {"ranks", ranks.count},
               {"threads", progress.options().threads},
               {"memory_bytes", progress.options().memory},
               {"fixed_bytes", fixed_bytes(plan)},
               {"kept_bytes", plan.kept_bytes},
               {"nodes", Json::object()}};
  if (ranks.bits_per_second) json["network_bits_a_second"] = *ranks.bits_per_second;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    json["nodes"][progress.facts(i).name()] = planned_node_json(progress, i, nodes[i], ranks);
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// The options --ranks and --network.
void add_planned_ranks_options(options::options_description& described) {
  described.add_options()(
      "ranks", options::value<int>()->value_name("N"),
      "plan a run over this many ranks (run --mpi); --threads and --memory are per rank")(
      "network", options::value<std::string>()->value_name("SPEED"),
      "between the ranks, in bits per second, such as 10Gbit: to estimate how long they exchange "
      "what they learn");
}

/// "10Gbit", "100Mbit", "1e9": bits per second. Nothing for other texts.
std::optional<double> bits_from_text(const std::string& text) {
  std::size_t end = 0;
  double number = 0;
  try {
    number = std::stod(text, &end);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  const std::string unit = text.substr(end);
  const double factor = unit.empty() ? 1 : unit == "Mbit" ? 1e6 : unit == "Gbit" ? 1e9 : 0;
  const double bits = number * factor;
  if (!std::isfinite(bits) || bits <= 0) return std::nullopt;
  return bits;
}

/// Nothing without --ranks. Throws UsageError.
std::optional<PlannedRanks> planned_ranks(const options::variables_map& values) {
  if (!values.count("ranks")) {
    if (values.count("network"))
      throw UsageError("--network is the speed between ranks; add --ranks");
    return std::nullopt;
  }
  const int ranks = values["ranks"].as<int>();
  constexpr int most = 100000;
  if (ranks < 1 || ranks > most)
    throw UsageError(fmt::format("--ranks must be between 1 and {}, got {}", most, ranks));
  PlannedRanks planned{static_cast<std::size_t>(ranks), std::nullopt};
  if (!values.count("network")) return planned;
  const std::string text = option_text(values, "network");
  planned.bits_per_second = bits_from_text(text);
  if (!planned.bits_per_second)
    throw UsageError(
        "'" + text +
        "' is not the speed of a network; write bits per second, such as 10Gbit or 100Mbit");
  return planned;
}

/// Prints the plan of a session that is prepared for these ranks, after measuring its rates.
void print_plan_of_ranks(RunProgress& progress, RunData& data, const PlannedRanks& ranks,
                         bool json) {
  const std::vector<NodeOfRanks> nodes = plan_of_ranks(progress, rehearse(progress, data));
  if (json)
    print_plan_json(progress, ranks, nodes);
  else
    PlanText(progress, ranks, nodes).print();
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

/// The names of the parameters in which the nodes' components differ, such as C; not those that
/// list what is solved before.
std::vector<std::string> differing_parameters(const RunProgress& progress,
                                              const std::vector<std::size_t>& nodes) {
  const ComponentConfig& first = progress.facts(nodes.front()).spec->component;
  std::vector<std::string> differing;
  const auto turn = progress.graph().node(nodes.front()).as<SharesWork>().solved_in_turn();
  for (const auto& [name, value] : first.values)
    if (!(turn && turn->before == name) && std::ranges::any_of(nodes, [&](std::size_t i) {
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
  Study in_turn = pipeline.selection->trials;
  solve_in_turn(in_turn, catalogue);
  StudySession trials(in_turn, catalogue, settings, true);
  trials.prepare();
  trials.session->journal().close_display();
  for (const std::string& line : sharing_lines(trials.session->progress()))
    fmt::print("in its trials, {}\n", line);
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
  if (pipeline->selection && !ranks) print_sharing_trials(*pipeline, found.catalogue, settings);
  return done;
}

}  // namespace semblance::cli
