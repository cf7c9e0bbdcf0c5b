// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Charts are data in the page; page/page.js draws them with D3.
namespace semblance::chart {

/// The subject of a figure. `kind` is one that page.js knows, `name` the name of the file to which
/// the picture is saved. `title` and `caption` stand above and below; neither is escaped yet.
struct Figure {
  std::string_view kind;
  std::string name;
  std::string title;
  std::string caption;
};

/// JSON as a block of the page that no text in it can close.
std::string data_block(const nlohmann::ordered_json& data);

/// A figure that is drawn from `data` in the reader's browser.
std::string figure_html(const Figure& figure, const nlohmann::ordered_json& data);

/// Whether the HTML contains a chart, so that the page needs D3.
bool has_charts(std::string_view html);

/// To nine significant digits, more than any picture shows; null if it is not finite.
nlohmann::ordered_json number(double value);

}  // namespace semblance::chart
