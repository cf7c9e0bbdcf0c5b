// SPDX-License-Identifier: MIT
#include "report/page/chart.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "report/page/html.hpp"

namespace semblance::chart {

using html::escaped;
using Json = nlohmann::ordered_json;

std::string data_block(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out = R"(<script type="application/json">)";
  out.reserve(out.size() + text.size() + 16);
  // A < occurs only in texts, where it may be escaped by its number: </script> and <!-- too.
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out + "</script>";
}

std::string figure_html(const Figure& figure, const Json& data) {
  std::string out = fmt::format(R"(<figure class="chart" data-chart="{}" data-title="{}">)",
                                figure.kind, escaped(figure.name));
  if (!figure.title.empty()) out += fmt::format("<h4>{}</h4>", escaped(figure.title));
  if (!data.is_null()) out += data_block(data);
  out += R"(<div class="picture"></div><p class="reading"></p><p class="note remark"></p>)"
         R"(<noscript><p class="note">This chart needs JavaScript.</p></noscript>)";
  if (!figure.caption.empty())
    out += fmt::format("<figcaption>{}</figcaption>", escaped(figure.caption));
  return out + "</figure>\n";
}

bool has_charts(std::string_view html) {
  // In a text the quote is escaped.
  return html.find(" data-chart=\"") != std::string_view::npos;
}

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

}  // namespace semblance::chart
