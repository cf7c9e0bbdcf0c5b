// SPDX-License-Identifier: MIT
#include "cli/runs/finished_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/diagnostic.hpp"
#include "pipeline/problems.hpp"
#include "pipeline/source_text.hpp"
#include "registry/figures.hpp"
#include "report/judged_rows.hpp"
#include "report/metrics.hpp"
#include "report/tables/result_table_json.hpp"
#include "semblance/error.hpp"
#include "support/json_text.hpp"

namespace semblance::cli {

namespace {

/// Splits a CSV file (RFC 4180) into records; the first four fields of each are stored.
class Records {
 public:
  explicit Records(std::string content) : content_(std::move(content)) {}

  std::optional<std::vector<std::string>> next() {
    if (at_ >= content_.size()) return std::nullopt;
    std::vector<std::string> fields;
    for (bool more = true; more;) {
      std::string field = content_[at_] == '"' ? quoted() : plain();
      if (fields.size() < 4) fields.push_back(std::move(field));
      more = at_ < content_.size() && content_[at_] == ',';
      if (at_ < content_.size()) ++at_;
      if (more && at_ >= content_.size()) break;
    }
    return fields;
  }

 private:
  std::string plain() {
    const std::size_t end = std::min(content_.find_first_of(",\n", at_), content_.size());
    std::string field = content_.substr(at_, end - at_);
    at_ = end;
    return field;
  }

  std::string quoted() {
    std::string field;
    for (++at_; at_ < content_.size(); ++at_) {
      if (content_[at_] == '"' && (++at_ >= content_.size() || content_[at_] != '"')) break;
      field += content_[at_];
    }
    return field;
  }

  std::string content_;
  std::size_t at_ = 0;
};

/// The number of a row in the data: any number, since earlier rows may have been set aside.
bool is_row_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool starts_with(const std::vector<std::string>& fields, std::vector<std::string> names) {
  return fields.size() >= names.size() && std::equal(names.begin(), names.end(), fields.begin());
}

/// The class of a pair according to its score.
std::string side_of(const std::string& score) {
  return std::strtod(score.c_str(), nullptr) > 0 ? "same" : "different";
}

/// For each row of predictions/SOLVER.csv, 1 if the prediction is the label, otherwise 0; for each
/// pair, 1 if its score has the sign of its label. Empty if labels are missing. Throws Error if the
/// file cannot be read or has another form.
std::vector<std::uint8_t> read_prediction_rows(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  Records records({std::istreambuf_iterator<char>(in), {}});
  const auto heading = records.next().value_or(std::vector<std::string>());
  const bool of_pairs = starts_with(heading, {"first", "second", "label", "score"});
  if (!of_pairs && !starts_with(heading, {"row", "label", "predicted"}))
    throw Error("'" + file.string() + "' is not a predictions file");
  std::vector<std::uint8_t> correct;
  std::size_t unknown = 0, row = 0;
  for (; const auto fields = records.next(); ++row) {
    if (fields->size() < (of_pairs ? 4 : 3) || !is_row_number((*fields)[0]))
      throw Error(fmt::format("'{}' is damaged: row {} is out of place", file.string(), row));
    const std::string& label = (*fields)[of_pairs ? 2 : 1];
    unknown += label.empty() ? 1 : 0;
    correct.push_back(label == (of_pairs ? side_of(fields->back()) : (*fields)[2]) ? 1 : 0);
  }
  if (unknown > 0) correct.clear();
  return correct;
}

/// The estimates and the true numbers in predictions/SOLVER.csv, row-major.
struct EstimatedRows {
  std::vector<double> estimates;
  std::vector<double> targets;  ///< NaN: unknown
  std::size_t numbers = 0;      ///< per row
};

/// Nothing where the file has classes or pairs. Throws Error if it is damaged.
std::optional<EstimatedRows> read_estimates(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Records records({std::istreambuf_iterator<char>(in), {}});
  const auto heading = records.next().value_or(std::vector<std::string>());
  EstimatedRows rows;
  while (2 * rows.numbers + 2 < heading.size() &&
         heading[2 * rows.numbers + 2] == "predicted " + heading[2 * rows.numbers + 1])
    ++rows.numbers;
  if (rows.numbers == 0) return std::nullopt;
  for (std::size_t row = 0; const auto fields = records.next(); ++row) {
    if (fields->size() != heading.size() || !is_row_number((*fields)[0]))
      throw Error(fmt::format("'{}' is damaged: row {} is out of place", file.string(), row));
    for (std::size_t t = 0; t < rows.numbers; ++t) {
      const std::string& target = (*fields)[2 * t + 1];
      rows.targets.push_back(target.empty() ? std::nan("") : std::strtod(target.c_str(), nullptr));
      // Written as the shortest text of a float32.
      rows.estimates.push_back(double{std::strtof((*fields)[2 * t + 2].c_str(), nullptr)});
    }
  }
  return rows;
}

/// The tree as text, which is equal for equal content.
std::string text_of(const YamlNode& node) {
  // Includes the length, so that texts are unambiguous; a text may contain any bytes.
  if (node.is_scalar())
    return std::to_string(node.text.size()) + (node.quoted ? "\"" : "'") + node.text;
  std::string text;
  for (const YamlNode& item : node.items) text += text_of(item) + ",";
  for (const YamlEntry& entry : node.entries)
    text += text_of(entry.key) + ":" + text_of(entry.value) + ",";
  return node.is_list() ? "[" + text + "]" : "{" + text + "}";
}

/// Collects all texts below a node, which include its inputs.
void collect_texts(const YamlNode& node, std::vector<std::string>& texts) {
  if (node.is_scalar()) texts.push_back(node.text);
  for (const YamlNode& item : node.items) collect_texts(item, texts);
  for (const YamlEntry& entry : node.entries) collect_texts(entry.value, texts);
}

/// Whether the figure is a time that nodes store with what they learned; prediction times are
/// always those of the run itself.
bool is_kept_time(const FigureInfo& figure) {
  return figure.unit == FigureUnit::seconds && figure.name != "predict_seconds";
}

}  // namespace

FinishedRun::FinishedRun(const std::filesystem::path& folder) : folder_(folder) {
  const auto file = folder / "metrics.json";
  const auto metrics = read_json(file);
  const auto damaged = [&](const char* what) {
    return Error(fmt::format("{}: {}; it does not belong to a run", file.string(), what));
  };
  if (!metrics.is_object()) throw damaged("is not a JSON object");
  const auto field = [&](const char* name, bool right_type(const nlohmann::ordered_json&)) {
    const auto found = metrics.find(name);
    if (found == metrics.end() || !right_type(*found))
      throw damaged(fmt::format("'{}' is missing or has the wrong type", name).c_str());
    return *found;
  };
  using Json = nlohmann::ordered_json;
  pipeline_ = field("pipeline", [](const Json& j) { return j.is_string(); }).get<std::string>();
  seed_ = field("seed", [](const Json& j) { return j.is_number_unsigned(); }).get<std::uint64_t>();
  if (const auto threads = metrics.find("threads");
      threads != metrics.end() && threads->is_number_unsigned())
    threads_ = threads->get<std::size_t>();
  nodes_ = field("nodes", [](const Json& j) {
    return j.is_object() && std::ranges::all_of(j, [](const Json& node) {
             return node.is_object() && node.contains("component") && node["component"].is_string();
           });
  });
  if (metrics.contains("rows")) rows_ = field("rows", [](const Json& j) { return j.is_object(); });
  if (metrics.contains("figures"))
    declared_ = field("figures", [](const Json& j) { return j.is_object(); });
  read_pipeline();
}

void FinishedRun::read_pipeline() {
  const auto file = folder_ / "pipeline.yaml";
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  const SourceText source(file.string(), {std::istreambuf_iterator<char>(in), {}});
  Problems problems;
  auto tree = parse_yaml(source, problems);
  if (!tree || problems.errors() > 0)
    throw Error("'" + file.string() + "' is damaged:\n" + render(problems.take()));
  std::erase_if(tree->entries, [](const YamlEntry& entry) { return entry.key.text == "seed"; });
  configuration_ = text_of(*tree);
  if (const YamlEntry* nodes = tree->find("nodes")) definition_ = nodes->value;
}

std::vector<std::string> FinishedRun::evaluators() const {
  std::vector<std::string> found;
  for (const auto& [name, node] : nodes_.items())
    if (kind_of(node["component"].get_ref<const std::string&>()) == "evaluator")
      found.push_back(name);
  return found;
}

std::vector<std::string> FinishedRun::nodes() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : nodes_.items()) names.push_back(name);
  return names;
}

std::vector<std::string> FinishedRun::figures(const std::string& node) const {
  std::vector<std::string> found;
  for (const auto& [name, value] : nodes_.at(node).items())
    if (value.is_number() && name != "seconds") found.push_back(name);
  return found;
}

std::string FinishedRun::component(const std::string& node) const {
  return nodes_.at(node).at("component");
}

std::vector<FigureInfo> FinishedRun::declared(const std::string& node) const {
  std::vector<FigureInfo> figures;
  const auto all = declared_.find(component(node));
  if (all == declared_.end()) return figures;
  try {
    for (const auto& [figure, info] : all->items())
      figures.push_back({figure, "",
                         figure_unit_named(info.at("unit").get_ref<const std::string&>()),
                         better_named(info.at("better").get_ref<const std::string&>()),
                         info.value("headline", false)});
  } catch (const std::exception& problem) {
    throw Error(fmt::format("'{}' is damaged: its description of figures cannot be read: {}",
                            (folder_ / "metrics.json").string(), json_problem(problem)));
  }
  return figures;
}

Measurement FinishedRun::measure(const std::string& node, const std::string& figure,
                                 std::vector<std::string>* notes) const {
  Measurement result;
  const auto& reported = nodes_.at(node);
  const auto found = reported.find(figure);
  if (found == reported.end() || !found->is_number()) {
    result.error = found == reported.end() ? "the run ended before '" + node + "' was done"
                                           : "'" + figure + "' is not a number";
    return result;
  }
  result.value = found->get<double>();
  for (const FigureInfo& known : declared(node))
    if (known.matches(figure) && is_kept_time(known)) check_time(node, figure, notes);
  const auto solvers = judged_solvers(node);
  for (const auto& solver : solvers)
    if (const auto rows = rows_of(solver)) add_rows(*rows, result);
  if (solvers.size() == 1 && solvers.front() != node)
    add_judged_rows(solvers.front(), figure, result);
  return result;
}

void FinishedRun::check_time(const std::string& node, const std::string& figure,
                             std::vector<std::string>* notes) const {
  const auto stored = nodes_.at(node).find("measured");
  if (stored == nodes_.at(node).end()) return;
  Measured measured;
  try {
    measured = measured_from_json(*stored);
  } catch (const std::exception&) {
    throw Error(fmt::format("{}: 'measured' of node '{}' is damaged",
                            (folder_ / "metrics.json").string(), node));
  }
  const std::string subject = fmt::format("'{}' took {}.{} from the store, measured on {}",
                                          folder_.string(), node, figure, measured_text(measured));
  if (threads_ > 0 && measured.threads != threads_)
    throw Error(fmt::format(
        "{}, but the run had {}: this time is not from that run; run it again with --no-cache",
        subject, threads_));
  std::string note =
      fmt::format("note: {}, on {}; --no-cache measures it again", subject, measured.processor);
  if (notes)
    notes->push_back(std::move(note));
  else
    fmt::print(stderr, "{}\n", note);
}

std::vector<std::string> FinishedRun::judged_solvers(const std::string& node) const {
  if (kind_of(component(node)) == "solver") return {node};
  const YamlEntry* evaluator = definition_.find(node);
  const YamlEntry* from = evaluator ? evaluator->value.find("from") : nullptr;
  std::vector<std::string> solvers;
  if (from) collect_texts(from->value, solvers);
  return solvers;
}

std::optional<RowsRecord> FinishedRun::rows_of(const std::string& solver) const {
  const auto found = rows_.find(solver);
  if (found == rows_.end()) return std::nullopt;
  try {
    return RowsRecord{found->at("train").get<std::size_t>(), found->at("test").get<std::size_t>(),
                      found->at("tested").get<std::string>(),
                      found->at("drawn_from").get<std::vector<std::string>>()};
  } catch (const nlohmann::json::exception&) {
    throw Error((folder_ / "metrics.json").string() + ": rows." + solver +
                " is damaged; run the pipeline again");
  }
}

void FinishedRun::add_judged_rows(const std::string& solver, const std::string& figure,
                                  Measurement& result) const {
  const auto file = folder_ / "predictions" / (solver + ".csv");
  if (!std::filesystem::exists(file)) return;
  if (const auto rows = read_estimates(file)) {
    auto found = row_losses(figure, rows->estimates, rows->targets, rows->numbers);
    if (!found) return;
    if (!adds_up(found->figure, result))
      throw Error(fmt::format("'{}' gives {} {}, but metrics.json next to it says {}",
                              file.string(), figure, found->figure, result.value));
    result.losses = std::move(found->losses);
    return;
  }
  if (!figure_by_rows(figure, {1})) return;
  std::vector<std::uint8_t> correct = read_prediction_rows(file);
  const auto share = figure_by_rows(figure, correct);
  if (!share) return;
  if (!adds_up(*share, result))
    throw Error(fmt::format("'{}' gives {} {}, but metrics.json next to it says {}", file.string(),
                            figure, *share, result.value));
  result.correct = std::move(correct);
}

}  // namespace semblance::cli
