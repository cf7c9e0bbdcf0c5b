// SPDX-License-Identifier: MIT
#include "runtime/results/predictions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "semblance/error.hpp"
#include "semblance/predicted_class.hpp"
#include "support/csv_field.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/npy.hpp"
#include "support/float_text.hpp"

namespace semblance {
namespace {

/// Appends one more field, where samples have names.
void append_name(std::string& text, const RowTags& tags, std::size_t row) {
  if (tags.named()) text += "," + spreadsheet_field(tags.name(row));
}

/// A text file that is written incrementally and appears when it is complete.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path) : file_(path) {}

  std::string text;

  /// Call it after every line.
  void next() {
    if (text.size() > (std::size_t{1} << 20)) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  void flush() {
    file_.write(text);
    text.clear();
  }
  AtomicFile file_;
};

void make_predictions_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw Error("cannot create '" + folder.string() + "': " + failure.message());
}

/// The classes whose score is at least 0.
std::string names_in_set(std::span<const float> scores, std::span<const std::string> classes) {
  std::string names;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (scores[c] < 0) continue;
    if (!names.empty()) names += " | ";
    names += classes[c];
  }
  return names;
}

std::filesystem::path write_array(const std::filesystem::path& file, MatrixView scores) {
  AtomicFile array(file);
  array.write(npy::to_bytes(scores));
  array.commit();
  return file;
}

}  // namespace

std::vector<std::filesystem::path> write_predictions(const std::filesystem::path& folder,
                                                     const std::string& name,
                                                     const NamedScores& named,
                                                     std::span<const std::int32_t> labels,
                                                     std::span<const std::string> classes,
                                                     const RowTags& tags) {
  const MatrixView scores = named.scores;
  make_predictions_folder(folder);
  const auto csv = folder / (name + ".csv");
  TextFile file(csv);
  std::string& text = file.text;
  text = named.sets ? "row,label,predicted,set" : "row,label,predicted";
  for (const auto& c : classes) text += "," + spreadsheet_field(named.name + " " + c);
  text += tags.named() ? ",name\n" : "\n";
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto row = scores.row_span(i);
    const auto best = static_cast<std::size_t>(predicted_class(row));
    text += std::to_string(tags.number(i)) + ",";
    if (labels[i] >= 0) text += spreadsheet_field(classes[static_cast<std::size_t>(labels[i])]);
    text += "," + spreadsheet_field(classes[best]);
    if (named.sets) text += "," + spreadsheet_field(names_in_set(row, classes));
    for (const float score : row) {
      text += ',';
      append_float(text, score);
    }
    append_name(text, tags, i);
    text += '\n';
    file.next();
  }
  file.commit();
  return {csv, write_array(folder / (name + ".npy"), scores)};
}

namespace {

/// Each number's values of a row have this order in the table.
struct NumberColumn {
  const char* name;   ///< before that of the number
  std::size_t place;  ///< among the values of a number
};

std::vector<std::filesystem::path> write_numbers(const std::filesystem::path& folder,
                                                 const std::string& name, MatrixView values,
                                                 std::span<const double> targets,
                                                 std::span<const std::string> names,
                                                 const RowTags& tags,
                                                 std::span<const NumberColumn> columns) {
  make_predictions_folder(folder);
  const auto csv = folder / (name + ".csv");
  TextFile file(csv);
  std::string& text = file.text;
  text = "row";
  std::set<std::string> taken = {"row", tags.named() ? "name" : "row"};
  for (std::string target : names) {
    const auto is_taken = [&](const NumberColumn& column) {
      return taken.contains(column.name + target);
    };
    // Readers find columns by name, so that no two may have the same.
    while (taken.contains(target) || std::ranges::any_of(columns, is_taken)) target += " (target)";
    taken.insert(target);
    text += "," + spreadsheet_field(target);
    for (const NumberColumn& column : columns)
      text += "," + spreadsheet_field(*taken.insert(column.name + target).first);
  }
  text += tags.named() ? ",name\n" : "\n";
  for (std::size_t i = 0; i < values.rows; ++i) {
    text += std::to_string(tags.number(i));
    for (std::size_t t = 0; t < names.size(); ++t) {
      text += ',';
      if (const double number = targets[i * names.size() + t]; !std::isnan(number))
        append_double(text, number);
      for (const NumberColumn& column : columns) {
        text += ',';
        append_float(text, values.row(i)[t * columns.size() + column.place]);
      }
    }
    append_name(text, tags, i);
    text += '\n';
    file.next();
  }
  file.commit();
  return {csv, write_array(folder / (name + ".npy"), values)};
}

}  // namespace

std::vector<std::filesystem::path> write_estimates(const std::filesystem::path& folder,
                                                   const std::string& name, MatrixView estimates,
                                                   std::span<const double> targets,
                                                   std::span<const std::string> names,
                                                   const RowTags& tags) {
  constexpr NumberColumn columns[] = {{"predicted ", 0}};
  return write_numbers(folder, name, estimates, targets, names, tags, columns);
}

std::vector<std::filesystem::path> write_intervals(const std::filesystem::path& folder,
                                                   const std::string& name, MatrixView intervals,
                                                   std::span<const double> targets,
                                                   std::span<const std::string> names,
                                                   const RowTags& tags) {
  constexpr NumberColumn columns[] = {{"predicted ", 1}, {"low ", 0}, {"high ", 2}};
  return write_numbers(folder, name, intervals, targets, names, tags, columns);
}

std::vector<std::filesystem::path> write_novelty(const std::filesystem::path& folder,
                                                 const std::string& name, MatrixView scores,
                                                 std::span<const std::int32_t> labels,
                                                 std::span<const std::string> classes,
                                                 const RowTags& tags) {
  make_predictions_folder(folder);
  const auto csv = folder / (name + ".csv");
  TextFile file(csv);
  std::string& text = file.text;
  text = "row,label,predicted,score";
  text += tags.named() ? ",name\n" : "\n";
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const float score = scores.row(i)[0];
    text += std::to_string(tags.number(i)) + ",";
    if (labels[i] >= 0) text += spreadsheet_field(classes[static_cast<std::size_t>(labels[i])]);
    text += score >= 0 ? ",usual," : ",novel,";
    append_float(text, score);
    append_name(text, tags, i);
    text += '\n';
    file.next();
  }
  file.commit();
  return {csv, write_array(folder / (name + ".npy"), scores)};
}

std::vector<std::filesystem::path> write_pair_predictions(const std::filesystem::path& folder,
                                                          const std::string& name,
                                                          const PairSet& pairs, MatrixView scores,
                                                          const RowTags& tags) {
  make_predictions_folder(folder);
  const auto csv = folder / (name + ".csv");
  TextFile file(csv);
  std::string& text = file.text;
  text = "first,second,label,score";
  text += tags.named() ? ",first name,second name\n" : "\n";
  std::size_t i = 0;
  for (const Pair& pair : pairs.list()) {
    const auto first = static_cast<std::size_t>(pair.first);
    const auto second = static_cast<std::size_t>(pair.second);
    text += std::to_string(tags.number(first)) + "," + std::to_string(tags.number(second)) + ",";
    if (pair.label != 0) text += pair.label > 0 ? "same" : "different";
    text += ',';
    append_float(text, scores.row(i++)[0]);
    append_name(text, tags, first);
    append_name(text, tags, second);
    text += '\n';
    file.next();
  }
  file.commit();
  return {csv, write_array(folder / (name + ".npy"), scores)};
}

}  // namespace semblance
