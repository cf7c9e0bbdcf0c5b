// SPDX-License-Identifier: MIT
#include "cli/planned_ranks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/run/plan_of_ranks.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

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
    if (!ranks_.bits_a_second) return "";
    const double seconds = steps * exchange_seconds(bytes, ranks_.count, *ranks_.bits_a_second);
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
  if (ranks.bits_a_second && node.exchange.bytes > 0)
    json["step_network_seconds"] =
        exchange_seconds(node.exchange.bytes, ranks.count, *ranks.bits_a_second);
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
  if (ranks.bits_a_second) json["network_bits_a_second"] = *ranks.bits_a_second;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    json["nodes"][progress.facts(i).name()] = planned_node_json(progress, i, nodes[i], ranks);
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void add_planned_ranks_options(options::options_description& described) {
  described.add_options()(
      "ranks", options::value<int>()->value_name("N"),
      "plan a run over this many ranks (run --mpi); --threads and --memory are per rank")(
      "network", options::value<std::string>()->value_name("SPEED"),
      "between the ranks, in bits per second, such as 10Gbit: to estimate how long they exchange "
      "what they learn");
}

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
  planned.bits_a_second = bits_from_text(text);
  if (!planned.bits_a_second)
    throw UsageError(
        "'" + text +
        "' is not the speed of a network; write bits per second, such as 10Gbit or 100Mbit");
  return planned;
}

void print_plan_of_ranks(RunProgress& progress, RunData& data, const PlannedRanks& ranks,
                         bool json) {
  const std::vector<NodeOfRanks> nodes = plan_of_ranks(progress, rehearse(progress, data));
  if (json)
    print_plan_json(progress, ranks, nodes);
  else
    PlanText(progress, ranks, nodes).print();
}

}  // namespace semblance::cli
