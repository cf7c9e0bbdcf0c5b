// SPDX-License-Identifier: MIT
#include "report/page/confusion_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "report/page/chart.hpp"
#include "report/page/html.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_classes_with_text = 30;
constexpr std::size_t most_cells = 60000;

class Matrix {
 public:
  explicit Matrix(const Table& table) : table_(table), sums_(size()) {
    for (std::size_t row = 0; row < size(); ++row)
      for (std::size_t column = 0; column < size(); ++column) sums_[row] += at(row, column);
    for (std::size_t row = 0; row < size(); ++row)
      for (std::size_t column = 0; column < size(); ++column)
        if (row != column) worst_ = std::max(worst_, share(row, column));
  }

  std::size_t size() const { return table_.rows.size(); }
  double at(std::size_t row, std::size_t column) const {
    return table_.values[row * size() + column];
  }
  double sum(std::size_t row) const { return sums_[row]; }
  /// The share of the row's samples; 0 for a class without samples.
  double share(std::size_t row, std::size_t column) const {
    return sums_[row] > 0 ? at(row, column) / sums_[row] : 0;
  }
  /// The greatest share of a row that falls to one wrong class.
  double worst() const { return worst_; }
  std::string name(std::size_t index) const { return html::escaped(table_.rows[index]); }

  /// The depth of a cell's colour, 0..1. Errors are relative to the greatest error: relative to the
  /// row, none would be visible for a good classifier.
  double depth(std::size_t row, std::size_t column) const {
    const double share = this->share(row, column);
    if (row == column) return share;
    return worst_ > 0 ? std::pow(share / worst_, 0.7) * std::min(1.0, 0.35 + 2 * worst_) : 0;
  }

  /// "cat classified as dog: 12 of 100 (12.0%)", escaped.
  std::string words(std::size_t row, std::size_t column) const {
    const std::string what = row == column
                                 ? fmt::format("{} recognized", name(row))
                                 : fmt::format("{} classified as {}", name(row), name(column));
    return fmt::format("{}: {} of {} ({}%)", what, quantity_text(at(row, column)),
                       quantity_text(sum(row)), percent(share(row, column), 1));
  }

 private:
  const Table& table_;
  std::vector<double> sums_;
  double worst_ = 0;
};

void append_cell(const Matrix& matrix, std::size_t row, std::size_t column, std::string& out) {
  const double value = matrix.at(row, column);
  if (value == 0) {
    out += R"(<td class="zero">0</td>)";
    return;
  }
  const double depth = matrix.depth(row, column);
  // Deeper, white has more contrast than black in the light scheme; both have 4.5 there.
  const double deep = row == column ? 0.8 : 0.98;
  fmt::format_to(std::back_inserter(out),
                 R"(<td class="{}{}" style="--a:{:.3f}" title="{}">{}</td>)",
                 row == column ? "hit" : "miss", depth > deep ? " deep" : "", depth,
                 matrix.words(row, column), quantity_text(value));
}

std::string text_matrix(const Matrix& matrix) {
  std::string out =
      R"(<div class="scroll"><table class="heat"><thead><tr><td class="corner">true class</td>)";
  for (std::size_t i = 0; i < matrix.size(); ++i)
    out += fmt::format(R"(<th scope="col"><span>{}</span></th>)", matrix.name(i));
  out += R"(<th scope="col" class="recall"><span>recognized</span></th></tr></thead><tbody>)";
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    out += fmt::format(R"(<tr><th scope="row">{}</th>)", matrix.name(row));
    for (std::size_t column = 0; column < matrix.size(); ++column)
      append_cell(matrix, row, column, out);
    const bool empty = matrix.sum(row) == 0;
    out += fmt::format("<td class=\"recall\">{}</td></tr>\n",
                       empty ? "–" : percent(matrix.share(row, row), 1) + "%");
  }
  return out + "</tbody></table></div>";
}

/// The data that page/heat_map.js draws: only non-empty cells.
Json matrix_data(const Table& table, const Matrix& matrix) {
  Json sums = Json::array(), cells = Json::array();
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    sums.push_back(chart::number(matrix.sum(row)));
    for (std::size_t column = 0; column < matrix.size(); ++column)
      if (matrix.at(row, column) > 0 && cells.size() < most_cells)
        cells.push_back(Json::array({row, column, chart::number(matrix.at(row, column))}));
  }
  return {{"kind", "confusion"},
          {"classes", table.rows},
          {"sums", std::move(sums)},
          {"cells", std::move(cells)}};
}

std::string drawn_matrix(bool complete) {
  std::string out =
      R"(<div class="picture"></div><p class="reading"></p>)"
      R"(<noscript><p class="note">The matrix needs JavaScript to be drawn.</p></noscript>)";
  if (!complete)
    out += fmt::format(R"(<p class="note">Only the first {} cells are drawn.</p>)",
                       count_text(most_cells));
  return out;
}

std::string most_confused(const Matrix& matrix) {
  constexpr std::size_t most = 8;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t row = 0; row < matrix.size(); ++row)
    for (std::size_t column = 0; column < matrix.size(); ++column)
      if (row != column && matrix.at(row, column) > 0) pairs.emplace_back(row, column);
  const std::size_t shown = std::min(most, pairs.size());
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown), pairs.end(),
                    [&](const auto& a, const auto& b) {
                      const double first = matrix.share(a.first, a.second);
                      const double second = matrix.share(b.first, b.second);
                      return first != second ? first > second : a < b;
                    });
  if (shown == 0) return R"(<p class="note">No sample is misclassified.</p>)";
  std::string out = R"(<h4>Most confused</h4><ol class="pairs">)";
  for (std::size_t i = 0; i < shown; ++i) {
    const auto [row, column] = pairs[i];
    out += fmt::format(R"(<li><span class="pair">{} <span class="as">as</span> {}</span>)"
                       R"(<span class="value">{}%</span>)"
                       R"(<span class="bar miss"><i style="width:{:.1f}%"></i></span>)"
                       "</li>",
                       matrix.name(row), matrix.name(column), percent(matrix.share(row, column), 1),
                       100 * matrix.share(row, column) / matrix.worst());
  }
  return out + "</ol>";
}

}  // namespace

bool is_confusion_matrix(const Table& table) {
  return table.name.find("confusion") != std::string::npos && table.rows.size() >= 2 &&
         table.rows == table.columns &&
         std::ranges::all_of(table.values, [](double v) { return std::isfinite(v) && v >= 0; });
}

bool is_matrix_of_text(const Table& table) { return table.rows.size() <= most_classes_with_text; }

std::string confusion_matrix_html(const Table& table, const std::string& node) {
  const Matrix matrix(table);
  const Json data = matrix_data(table, matrix);
  std::string out =
      fmt::format(R"(<div class="confusion"><figure data-chart="confusion" data-title="{}">{})",
                  html::escaped(node + " " + words(table.name)), chart::data_block(data));
  out += is_matrix_of_text(table) ? text_matrix(matrix)
                                  : drawn_matrix(data["cells"].size() < most_cells);
  out += R"(<figcaption>Rows are the true classes, columns the predicted ones. )"
         R"(<b class="key hit"></b>Right, deeper for a larger share of the row.)";
  if (matrix.worst() > 0)
    out += fmt::format(R"( <b class="key miss"></b>Wrong, deepest at {}% of the row.)",
                       percent(matrix.worst(), 1));
  out += "</figcaption></figure><aside>" + most_confused(matrix) + "</aside></div>";
  return out;
}

}  // namespace semblance
