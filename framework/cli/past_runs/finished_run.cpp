// SPDX-License-Identifier: MIT
#include "cli/past_runs/finished_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "report/judged_rows.hpp"
#include "report/metrics.hpp"
#include "runtime/store/folder.hpp"
#include "semblance/error.hpp"

namespace semblance::cli {

namespace {

/// Splits a CSV file (RFC 4180) into records; the first fields of each are stored, at most `most`.
class Records {
 public:
  Records(std::string content, std::size_t most) : content_(std::move(content)), most_(most) {}

  std::optional<std::vector<std::string>> next() {
    if (at_ >= content_.size()) return std::nullopt;
    std::vector<std::string> fields;
    for (bool more = true; more;) {
      std::string field = content_[at_] == '"' ? quoted() : plain();
      if (fields.size() < most_) fields.push_back(std::move(field));
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
  std::size_t most_;
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
  Records records(read_whole_file(file), 4);
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
  Records records(read_whole_file(file), std::string::npos);
  const auto heading = records.next().value_or(std::vector<std::string>());
  EstimatedRows rows;
  std::vector<std::size_t> places;  // where true numbers stand; an interval may follow an estimate
  for (std::size_t k = 1; k + 1 < heading.size(); ++k) {
    const std::string& name = heading[k];
    const bool guarded = name.starts_with('\'');  // as spreadsheet_field() does
    if (heading[k + 1] == "predicted " + name ||
        (guarded && heading[k + 1] == "predicted " + name.substr(1)))
      places.push_back(k);
  }
  rows.numbers = places.size();
  if (rows.numbers == 0) return std::nullopt;
  for (std::size_t row = 0; const auto fields = records.next(); ++row) {
    if (fields->size() != heading.size() || !is_row_number((*fields)[0]))
      throw Error(fmt::format("'{}' is damaged: row {} is out of place", file.string(), row));
    for (const std::size_t k : places) {
      const std::string& target = (*fields)[k];
      rows.targets.push_back(target.empty() ? std::nan("") : std::strtod(target.c_str(), nullptr));
      // Written as the shortest text of a float32.
      rows.estimates.push_back(double{std::strtof((*fields)[k + 1].c_str(), nullptr)});
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

}  // namespace

FinishedRun::FinishedRun(const std::filesystem::path& folder)
    : folder_(folder), results_(read_run(folder)) {
  YamlNode tree = read_definition(folder);
  std::erase_if(tree.entries, [](const YamlEntry& entry) { return entry.key.text == "seed"; });
  configuration_ = text_of(tree);
  if (const YamlEntry* nodes = tree.find("nodes")) definition_ = nodes->value;
}

std::vector<std::string> FinishedRun::evaluators() const {
  std::vector<std::string> found;
  for (const auto& [name, component] : results_.nodes)
    if (kind_of(component) == "evaluator") found.push_back(name);
  return found;
}

bool FinishedRun::has_node(const std::string& node) const {
  return results_.metrics.at("nodes").contains(node);
}

std::string FinishedRun::component(const std::string& node) const {
  return results_.metrics.at("nodes").at(node).at("component");
}

std::vector<ReportedFigure> FinishedRun::figures(const std::string& node) const {
  std::vector<ReportedFigure> found;
  std::ranges::copy_if(results_.figures, std::back_inserter(found),
                       [&](const ReportedFigure& figure) { return figure.node == node; });
  return found;
}

const ReportedFigure* FinishedRun::figure(const std::string& node, const std::string& name) const {
  const auto found = std::ranges::find_if(results_.figures, [&](const ReportedFigure& figure) {
    return figure.node == node && figure.figure == name;
  });
  return found == results_.figures.end() ? nullptr : &*found;
}

bool FinishedRun::judges(const std::string& node, const std::string& name) const {
  return std::ranges::any_of(results_.figures, [&](const ReportedFigure& figure) {
    const bool wanted =
        name.empty() ? figure.headline && figure.better != Better::none : figure.figure == name;
    return wanted && component(figure.node) == component(node);
  });
}

Measurement FinishedRun::measure(const std::string& node, const std::string& name,
                                 std::vector<std::string>* notes) const {
  Measurement result;
  const ReportedFigure* const found = figure(node, name);
  if (!found) {
    result.error = results_.metrics.at("nodes").at(node).contains(name)
                       ? "'" + name + "' is not a number"
                       : "the run ended before '" + node + "' was done";
    return result;
  }
  result.value = found->value;
  // Times that nodes store with what they learned; prediction times are always the run's own.
  if (found->unit == FigureUnit::seconds && name != "predict_seconds")
    check_time(node, name, notes);
  const auto solvers = judged_solvers(node);
  for (const auto& solver : solvers)
    if (const auto rows = rows_of(solver)) add_rows(*rows, result);
  if (solvers.size() == 1 && solvers.front() != node)
    add_judged_rows(solvers.front(), name, result);
  return result;
}

void FinishedRun::check_time(const std::string& node, const std::string& figure,
                             std::vector<std::string>* notes) const {
  const auto& reported = results_.metrics.at("nodes").at(node);
  const auto stored = reported.find("measured");
  if (stored == reported.end()) return;
  const auto known = results_.metrics.find("threads");
  const std::size_t threads = known != results_.metrics.end() && known->is_number_unsigned()
                                  ? known->get<std::size_t>()
                                  : 0;
  Measured measured;
  try {
    measured = measured_from_json(*stored);
  } catch (const std::exception&) {
    throw Error(fmt::format("{}: 'measured' of node '{}' is damaged",
                            (folder_ / "metrics.json").string(), node));
  }
  const std::string subject = fmt::format("'{}' took {}.{} from the store, measured on {}",
                                          folder_.string(), node, figure, measured_text(measured));
  if (threads > 0 && measured.threads != threads)
    throw Error(fmt::format(
        "{}, but the run had {}: this time is not from that run; run it again with --no-cache",
        subject, threads));
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
  const auto rows = results_.metrics.find("rows");
  if (rows == results_.metrics.end() || !rows->is_object()) return std::nullopt;
  const auto found = rows->find(solver);
  if (found == rows->end()) return std::nullopt;
  try {
    return RowsRecord{found->at("train").get<std::size_t>(), found->at("test").get<std::size_t>(),
                      found->at("tested").get<std::string>(),
                      found->at("drawn_from").get<std::vector<std::string>>(),
                      found->value("groups", std::vector<std::int32_t>())};
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
