// SPDX-License-Identifier: MIT
#include "runtime/predictions.hpp"

#include <algorithm>
#include <charconv>

#include "report/atomic_file.hpp"
#include "report/csv_field.hpp"
#include "runtime/npy.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

void append_number(std::string& text, float value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace

std::vector<std::filesystem::path> write_predictions(const std::filesystem::path& folder,
                                                     const std::string& name, MatrixView scores,
                                                     std::span<const std::int32_t> labels,
                                                     std::span<const std::string> classes) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw Error("cannot make '" + folder.string() + "': " + failure.message());
  const auto csv = folder / (name + ".csv");
  AtomicFile file(csv);
  std::string text = "row,label,predicted";
  for (const auto& c : classes) text += "," + csv_field("score " + c);
  text += "\n";
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.row_span(i);
    const auto best = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    text += std::to_string(i) + ",";
    if (labels[i] >= 0) text += csv_field(classes[static_cast<std::size_t>(labels[i])]);
    text += "," + csv_field(classes[best]);
    for (const float score : row) {
      text += ',';
      append_number(text, score);
    }
    text += '\n';
    if (text.size() > (std::size_t{1} << 20)) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
  const auto npy = folder / (name + ".npy");
  AtomicFile array(npy);
  array.write(npy::to_bytes(scores));
  array.commit();
  return {csv, npy};
}

}  // namespace semblance
