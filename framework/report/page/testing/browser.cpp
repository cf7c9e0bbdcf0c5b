// SPDX-License-Identifier: MIT
#include "report/page/testing/browser.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "support/test_folder.hpp"

namespace semblance::testing {
namespace {

/// A frame has the width of a phone, which the browser's window cannot have.
constexpr const char* page_around = R"(<!doctype html>
<meta charset="utf-8">
<pre id="verdicts"></pre>
<script>
const verdicts = [];
addEventListener("message", (event) => {
  const frames = [...document.querySelectorAll("iframe")];
  verdicts[frames.findIndex((frame) => frame.contentWindow === event.source)] = event.data;
  if (verdicts.filter(Boolean).length === expected)
    document.querySelector("#verdicts").textContent = "[" + verdicts + "]";
});
</script>
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

bool no_browser() {
  if (std::system("command -v chromium >/dev/null 2>&1") == 0) return false;
  std::puts("skipped: chromium is not installed");
  return true;
}

std::string unreadable(const std::map<std::string, std::string>& pages) {
  const TestFolder folder;
  std::string command =
      "cd " + folder.path.string() + " && timeout 150 python3 " REPORT_LAYOUT_SCRIPT;
  for (const auto& [name, page] : pages) {
    write(folder.path / (name + ".html"), page);
    command += " " + name + ".html";
  }
  const std::string verdict = output_of(command + " 2>log");
  if (verdict.empty()) throw std::runtime_error(content(folder.path / "log"));
  return nlohmann::json::parse(verdict).dump(1);
}

namespace {

/// One browser for all test cases, behind told_pages.py.
class Browser {
 public:
  Browser() {
    std::signal(SIGPIPE, SIG_IGN);  // where it ended, its log says why
    const std::string pages = folder_.path / "pages";
    if (::mkfifo(pages.c_str(), 0600) != 0) throw std::runtime_error("cannot make " + pages);
    const std::string command = fmt::format("exec timeout 500 python3 -B " REPORT_TOLD_SCRIPT
                                            " $(dirname " REPORT_LAYOUT_SCRIPT ") <{0} 2>{1}/log",
                                            pages, folder_.path.string());
    answers_ = ::popen(command.c_str(), "r");
    pages_ = std::fopen(pages.c_str(), "w");
    if (!answers_ || !pages_) throw std::runtime_error("cannot run: " + command);
  }
  ~Browser() {
    std::fclose(pages_);
    ::pclose(answers_);
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// What the page tells.
  nlohmann::json told_by(const std::filesystem::path& page) {
    fmt::print(pages_, "{}\n", page.string());
    std::fflush(pages_);
    std::string answer;
    for (int c; (c = std::fgetc(answers_)) != EOF && c != '\n';) answer += static_cast<char>(c);
    if (answer.empty())
      throw std::runtime_error("the browser gave no verdict:\n" + content(folder_.path / "log"));
    return nlohmann::json::parse(answer);
  }

 private:
  TestFolder folder_;
  std::FILE* answers_ = nullptr;
  std::FILE* pages_ = nullptr;
};

/// What the script, which runs before each page's own, tells about the pages.
std::vector<nlohmann::json> told_by_browser(const std::vector<Framed>& pages,
                                            const std::string& script) {
  static Browser browser;
  const TestFolder folder;
  std::string around =
      page_around + fmt::format("<script>const expected = {};</script>\n", pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::string name = fmt::format("page{}.html", i);
    write(folder.path / name, with_script(pages[i].page, script));
    around +=
        fmt::format(R"(<iframe src="{}" style="width: {}px; height: 2000px; border: 0"></iframe>)",
                    name, pages[i].width);
  }
  write(folder.path / "around.html", around);
  return browser.told_by(folder.path / "around.html");
}

}  // namespace

std::vector<nlohmann::json> verdicts_of_browser(const std::vector<Framed>& pages) {
  return told_by_browser(pages, content(REPORT_BROWSER_TEST_SCRIPT));
}

std::vector<std::string> shown(const std::vector<std::string>& pages) {
  constexpr const char* tell = R"('use strict';
(() => {
  const errors = [];
  addEventListener('error', (event) => errors.push(event.message));
  addEventListener('load', () => setTimeout(() => parent.postMessage(JSON.stringify(
      {errors, main: document.querySelector('main').innerHTML}), '*')));
})();)";
  std::vector<Framed> framed;
  for (const std::string& page : pages) framed.push_back({page, 1200});
  std::vector<std::string> all;
  for (const nlohmann::json& told : told_by_browser(framed, tell)) {
    if (!told["errors"].empty()) throw std::runtime_error(told["errors"].dump());
    all.push_back(told["main"]);
  }
  return all;
}

}  // namespace semblance::testing
