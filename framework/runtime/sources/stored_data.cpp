// SPDX-License-Identifier: MIT
#include <algorithm>

#include "runtime/rows/layout_json.hpp"
#include "runtime/rows/row_sizes.hpp"
#include "runtime/sources/slow_data.hpp"
#include "runtime/store/state_files.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const KeptRows::Room no_room = {KeptRows::Residence::leaves_on_release, nullptr};

fs::path tags_folder(const fs::path& folder) { return folder / "tags"; }

Json outline_json(const Outline& outline) {
  return {{"layout", layout_json(outline.layout)},
          {"train_rows", outline.train_rows},
          {"test_rows", outline.test_rows},
          {"classes", outline.classes},
          {"columns", outline.columns},
          {"targets", outline.targets},
          {"numbered_rows", outline.numbered_rows},
          {"values", outline.values}};
}

Outline outline_from(const Json& json) {
  Outline outline;
  outline.layout = layout_from_json(json.at("layout"));
  outline.train_rows = json.at("train_rows");
  outline.test_rows = json.at("test_rows");
  outline.classes = json.at("classes").get<std::vector<std::string>>();
  outline.columns = json.at("columns").get<std::vector<std::string>>();
  outline.targets = json.value("targets", std::vector<std::string>());
  outline.numbered_rows = json.at("numbered_rows");
  outline.values = json.at("values");
  return outline;
}

KeptRows::Kind kind_of(const Layout& layout) {
  if (layout.kind == LayoutKind::sparse) return KeptRows::Kind::sparse;
  return layout.ragged() ? KeptRows::Kind::ragged : KeptRows::Kind::equal;
}

RowSizes sizes_of(const Dataset& data) {
  const Layout& layout = data.outline().layout;
  return layout.ragged() ? sizes_of_source(data, layout) : RowSizes{layout.size(), nullptr};
}

}  // namespace

Json StoredData::write(const Dataset& data, const fs::path& folder, Context& context) {
  const Outline& outline = data.outline();
  const auto rows = KeptRows::in_folder(folder, outline.rows(), sizes_of(data), no_room);
  const std::size_t at_once = rows_at_once(outline.layout.size());
  for (std::size_t first = 0; first < outline.rows(); first += at_once) {
    context.check_stop();
    const std::size_t count = std::min(at_once, outline.rows() - first);
    data.read(first, rows->writable(first, count));
    rows->release(first, count);
  }
  StateFolderWriter tags(tags_folder(folder));
  tags.integers("labels", std::vector<std::int64_t>(data.labels().begin(), data.labels().end()));
  if (!outline.targets.empty()) tags.doubles("targets", data.targets());
  tags.doubles("weights", data.weights());
  tags.integers("groups", std::vector<std::int64_t>(data.groups().begin(), data.groups().end()));
  RowTags(data, 0, outline.rows()).save(tags);
  tags.finish();
  return outline_json(outline);
}

StoredData::StoredData(const fs::path& folder, const Json& facts) : outline_(outline_from(facts)) {
  const std::size_t rows = outline_.rows();
  const StateFolderReader tags(tags_folder(folder));
  const auto labels = tags.integers("labels");
  labels_.assign(labels.begin(), labels.end());
  if (!outline_.targets.empty()) targets_ = tags.doubles("targets");
  weights_ = tags.doubles("weights");
  const auto groups = tags.integers("groups");
  groups_.assign(groups.begin(), groups.end());
  tags_ = RowTags::load(tags);
  if (labels_.size() != rows || tags_.rows() != rows ||
      targets_.size() != rows * outline_.targets.size() ||
      (!weights_.empty() && weights_.size() != rows) ||
      (!groups_.empty() && groups_.size() != rows))
    throw Error("'" + folder.string() + "' does not hold as many labels and targets as rows");
  rows_ = KeptRows::open(folder, rows, outline_.layout.size(), kind_of(outline_.layout),
                         [](std::size_t) { return no_room; });
}

void StoredData::read(std::size_t first, MutableMatrixView out) const {
  copy_rows(rows_->view(first, out.rows), out);
  rows_->release(first, out.rows);
}

std::size_t StoredData::bytes() const noexcept {
  const std::size_t rows = outline_.rows();
  std::size_t bytes = (rows + groups_.size()) * sizeof(std::int32_t) +
                      (targets_.size() + weights_.size()) * sizeof(double);
  if (rows_->sizes().offsets) bytes += rows * sizeof(std::size_t);
  if (tags_.named())
    for (std::size_t row = 0; row < rows; ++row)
      bytes += sizeof(std::string) + tags_.name(row).size();
  return bytes;
}

}  // namespace semblance
