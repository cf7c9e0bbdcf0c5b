// SPDX-License-Identifier: MIT
#include "serve/served_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "pipeline/resolved.hpp"
#include "runtime/results/model.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance_tables/table_lines.hpp"
#include "serve/rows/given_rows.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::serving {
namespace {

/// The index at which rows in LIBSVM's format start to count: as in the files of the model's
/// source, if it has a parameter for it. Nothing: it follows from the rows.
std::optional<std::size_t> first_index_of(const ComponentConfig& source) {
  for (const auto& [name, value] : source.values)
    if (const auto* said = std::get_if<std::string>(&value); said && name == "first_index") {
      if (*said == "automatic") return std::nullopt;
      return *said == "0" ? 0 : 1;
    }
  return 1;
}

/// The columns that the model's source does not learn from, where it names them: rows may have
/// them.
void name_others(const ComponentConfig& source, TableFormat& format) {
  const std::map<std::string_view, std::string*> facts = {{"label", &format.label},
                                                          {"id", &format.id},
                                                          {"weight", &format.weight},
                                                          {"groups", &format.groups}};
  for (const auto& [name, value] : source.values) {
    if (const auto* text = std::get_if<std::string>(&value)) {
      const auto fact = facts.find(name);
      if (fact != facts.end() && !text->empty() && !parse_integer(*text)) *fact->second = *text;
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      if (name == "ignore")
        std::ranges::copy_if(*texts, std::back_inserter(format.ignore),
                             [](const std::string& column) { return !parse_integer(column); });
      format.understands |= name == "columns" && *texts == std::vector<std::string>{"auto"};
    }
  }
}

nlohmann::ordered_json layout_json(const Layout& layout) {
  return {{"kind", semblance::name(layout.kind)},
          {"height", layout.height},
          {"width", layout.width},
          {"depth", layout.depth},
          {"values", layout.size()},
          {"description", describe(layout)}};
}

/// The columns of the largest similarities; ties go to the first. NaN is excluded.
std::vector<std::size_t> most_similar(std::span<const float> values, std::size_t count) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isnan(values[k])) places.push_back(k);
  const std::size_t kept = std::min(count, places.size());
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept),
                            [&](std::size_t a, std::size_t b) {
                              return values[a] > values[b] || (values[a] == values[b] && a < b);
                            });
  places.resize(kept);
  return places;
}

}  // namespace

ServedModel::ServedModel(const std::filesystem::path& folder,
                         std::shared_ptr<const Catalogue> catalogue, const RunOptions& options,
                         const std::string& node, const CheckOptions& checking)
    : trained_(Trained::load(folder, std::move(catalogue), options, checking)),
      hash_(trained_->model_checksum()),
      pipeline_(read_whole_file(model_pipeline(folder))) {
  examine(node);
}

ServedModel::ServedModel(std::unique_ptr<Trained> trained, const std::string& node)
    : trained_(std::move(trained)), pipeline_(resolved_yaml(trained_->pipeline())) {
  examine(node);
}

void ServedModel::examine(const std::string& node) {
  format_.rows_alone = true;
  format_.remedies = false;
  if (const auto solvers = trained_->scoring_nodes(); node.empty() && solvers.size() > 1)
    throw Error("the model has several solvers, " + enumerate(solvers) +
                "; name the one whose scores are wanted with --node");
  node_ = node.empty() ? trained_->scoring_node() : node;
  if (!trained_->scores_rows(node_))
    throw Error(
        "node '" + node_ +
        "' does not give each row a score per class, estimates, intervals or a novelty score, as "
        "serving needs it; name one that does with --node, or apply the model with semblance "
        "predict MODEL "
        "DATA");
  if (layout().kind == LayoutKind::pair) open_pairs();
  if (of_pairs()) return;
  check_readable(layout());
  source_ = &trained_->source(node_);
  trained_on_ = {"", layout(), classes(), trained_->columns(node_), targets()};
  format_.keeps_missing = source_->keeps_missing();
  rules_ = {source_->accepts_unknown_categories(), layout().kind == LayoutKind::sparse};
  for (const std::string& map : trained_->maps(node_))
    if (trained_->input_layout(map) == layout()) maps_.push_back(map);
  const Pipeline& pipeline = trained_->pipeline();
  for (const PipelineNode& found : pipeline.nodes)
    if (found.name == node_) {
      const ComponentConfig& source = pipeline.nodes[found.origin].component;
      first_index_ = first_index_of(source);
      name_others(source, format_);
    }
  const auto lines = csv_lines();
  if (const auto* texts = dynamic_cast<const RowTexts*>(lines.get()))
    text_name_ = texts->text_name();
}

/// Rows name both samples of a pair, which the files of the model's source have.
void ServedModel::open_pairs() {
  pairs_ = trained_->named_pairs(node_);
  if (!pairs_) return;
  trained_on_.layout = positions_;
  for (const Side side : both_sides) trained_on_.columns.push_back(pairs_->column(side));
  rules_.number_of_name = [this](std::size_t column, std::string_view name) {
    return static_cast<float>(pairs_->find(both_sides.at(column), name));
  };
  rules_.row = "a row of this model is 2 names, those of " + printable(trained_on_.columns[0]) +
               " and " + printable(trained_on_.columns[1]);
}

void ServedModel::score(MatrixView rows, MutableMatrixView scores) const {
  std::size_t empty = 0;  // texts of unknown terms; the source counts those of files
  const bool of_terms = !text_name_.empty() && !trained_on_.columns.empty();
  for (std::size_t i = 0; of_terms && rows.sparse() && i < rows.rows; ++i)
    empty += rows.columns_of(i).empty() ? 1 : 0;
  if (empty > 0)
    trained_->warn(std::to_string(empty) + " of " + std::to_string(rows.rows) +
                   " texts have no term that has a column, so that all of their counts are 0");
  if (!of_pairs()) return trained_->apply_to_part(node_, rows, scores);
  std::vector<std::array<std::uint32_t, 2>> pairs;
  pairs.reserve(rows.rows);
  for (std::size_t i = 0; i < rows.rows; ++i)
    pairs.push_back(
        {static_cast<std::uint32_t>(rows.row(i)[0]), static_cast<std::uint32_t>(rows.row(i)[1])});
  trained_->apply(node_, pairs_->rows(pairs).view(), scores);
}

void refuse_numbers() {
  throw Error(
      "rows of this model are pairs of names, which this format cannot give; send CSV or JSON");
}

std::unique_ptr<RowLines> ServedModel::csv_lines() const {
  if (source_)
    if (auto lines = source_->lines(trained_on_)) return lines;
  return std::make_unique<TableLines>(format_, trained_on_, rules_);
}

std::unique_ptr<RowTexts> ServedModel::row_texts() const {
  if (text_name_.empty()) return nullptr;
  return std::unique_ptr<RowTexts>(dynamic_cast<RowTexts*>(csv_lines().release()));
}

const std::string& ServedModel::source_name() const {
  const Pipeline& pipeline = trained_->pipeline();
  for (const PipelineNode& found : pipeline.nodes)
    if (found.name == node_) return pipeline.nodes[found.origin].name;
  throw Error("the model has no node '" + node_ + "'");
}

std::vector<NearestBasis> ServedModel::nearest(MatrixView row, std::size_t count) const {
  std::vector<NearestBasis> found;
  for (const std::string& map : maps_) {
    const FloatMatrix similarities = trained_->apply(map, row);
    const auto bases = trained_->bases(map);
    const auto values = similarities.view().row_span(0);
    if (bases.size() != values.size()) continue;  // it gives other values as well
    for (const std::size_t k : most_similar(values, count))
      found.push_back({map, k, bases[k], values[k]});
  }
  return found;
}

nlohmann::ordered_json ServedModel::basis(const std::string& map, std::size_t column) const {
  if (std::ranges::find(maps_, map) == maps_.end())
    throw Error("the model has no similarity map " + in_quotes(map) + " before its scores");
  const std::vector<float> values = trained_->basis(map, column);
  if (values.empty()) throw Error("the map " + in_quotes(map) + " has not kept its bases");
  return {{"map", map},
          {"basis", column},
          {"row", trained_->bases(map).at(column)},
          {"layout", layout_json(trained_->compared_layout(map))},
          {"values", values}};
}

nlohmann::ordered_json ServedModel::description() const {
  auto maps = nlohmann::ordered_json::array();
  for (const std::string& map : maps_)
    maps.push_back({{"name", map}, {"layout", layout_json(trained_->compared_layout(map))}});
  return {{"model", name()},
          {"hash", hash_},
          {"node", node_},
          {"gives", gives_sets() ? "sets" : semblance::name(gives())},
          {"classes", classes()},
          {"targets", targets()},
          {"columns", trained_on_.columns},
          {"text", text_name_},
          {"layout", layout_json(layout())},
          {"similarity_maps", maps},
          {"pipeline", pipeline_}};
}

}  // namespace semblance::serving
