// SPDX-License-Identifier: MIT
#include "report/browser.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "report/test_folder.hpp"

namespace semblance::testing {
namespace {

/// The frame has the width of a phone, which the browser's window can't have.
constexpr const char* page_around = R"(<!doctype html>
<meta charset="utf-8">
<pre id="verdict"></pre>
<script>
addEventListener("message", (event) => {{
  const escape = (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
  document.querySelector("#verdict").textContent = event.data.replace(/[<>&\u0080-\uffff]/g, escape);
}});
</script>
<iframe src="page.html" style="width: {}px; height: 2000px; border: 0"></iframe>
)";

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"),
                                                             ::pclose);
  if (!pipe) throw std::runtime_error("cannot run: " + command);
  std::string output;
  char buffer[65536];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe.get()))
    output.append(buffer, size);
  return output;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string with_script(std::string page, const std::string& script) {
  const std::string start = "<body>";
  const std::size_t place = page.find(start);
  if (place == std::string::npos) throw std::runtime_error("the page has no body");
  return page.insert(place + start.size(), "<script>" + script + "</script>");
}

}  // namespace

bool has_browser() { return std::system("command -v chromium >/dev/null 2>&1") == 0; }

nlohmann::json verdict_of_browser(const std::string& page, int width) {
  const TestFolder folder;
  write(folder.path / "page.html", with_script(page, content(REPORT_BROWSER_TEST_SCRIPT)));
  write(folder.path / "around.html", fmt::format(page_around, width));
  // The sandbox of the browser needs rights that containers and root do not have; the pages are
  // our own. Time is virtual: it goes on as soon as nothing is left to do.
  const std::string command = fmt::format(
      "timeout 120 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage "
      "--no-first-run --user-data-dir={0}/profile --window-size=1300,2100 "
      "--virtual-time-budget=20000 --dump-dom file://{0}/around.html 2>{0}/log",
      folder.path.string());
  const std::string dom = output_of(command);
  const std::string start = "<pre id=\"verdict\">";
  const std::size_t begin = dom.find(start);
  const std::size_t end = dom.find("</pre>", begin);
  if (begin == std::string::npos || end == begin + start.size())
    throw std::runtime_error("the browser gave no verdict:\n" + content(folder.path / "log"));
  return nlohmann::json::parse(dom.substr(begin + start.size(), end - begin - start.size()));
}

}  // namespace semblance::testing
