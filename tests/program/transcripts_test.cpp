// SPDX-License-Identifier: MIT
// Runs the files *.test of this folder, each as a test case; README.md describes them.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>

#include "program.hpp"

namespace transcripts_test {

using namespace semblance::testing;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Statement {
  int line = 0;
  std::string word, rest;  ///< the first word, and the text after it
  std::string block;       ///< the indented lines below it
};

std::vector<Statement> statements_of(const std::string& file) {
  std::vector<Statement> all;
  std::ifstream in(file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("  ")) {
      REQUIRE_MESSAGE(!all.empty(), file << ": begins with an indented line");
      all.back().block += line.substr(2) + "\n";
    } else {
      const auto space = std::min(line.find(' '), line.size());
      all.push_back(
          {number, line.substr(0, space), line.substr(std::min(space + 1, line.size())), ""});
    }
  }
  return all;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

bool related(const json& is, const std::string& relation, const json& wanted, double tolerance) {
  if (relation == "=") return is == wanted;
  if (relation == "!=") return is != wanted;
  if (relation == "counts") return is.size() == wanted.get<std::size_t>();
  if (relation == "mentions") return contains(is.dump(), wanted.get<std::string>());
  if (!is.is_number() || !wanted.is_number()) return false;
  const double a = is, b = wanted;
  if (relation == "<") return a < b;
  if (relation == "<=") return a <= b;
  if (relation == ">") return a > b;
  if (relation == ">=") return a >= b;
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

class Transcript {
 public:
  explicit Transcript(std::string file)
      : file_(std::move(file)), statements_(statements_of(file_)) {}

  void run() {
    for (at_ = 0; at_ < statements_.size() && !skipped_; ++at_) {
      const auto action = actions.find(now().word);
      if (action == actions.end()) ADD_FAIL_AT(file_.c_str(), now().line, "unknown statement");
      (this->*action->second)();
    }
  }

 private:
  const Statement& now() const { return statements_[at_]; }
  std::string block() const {
    return now().block.substr(0, now().block.find_last_not_of('\n') + 1);
  }
  /// The text after the first word, else the block.
  std::string text() const { return now().rest.empty() ? block() : now().rest; }

  void check(bool right, const std::string& found) const {
    if (right)
      CHECK(right);
    else
      ADD_FAIL_CHECK_AT(file_.c_str(), now().line,
                        now().word << " " << text() << "\n"
                                   << found << "\n");
  }
  std::string report() const { return "$ " + command_ + outcome_.output; }
  void check_output(bool right) const { check(right, report()); }

  Workplace::Outcome shell(const std::string& script) const {
    return work_.shell("export PATH=${program%/*}:$PATH given='" SEMBLANCE_TRANSCRIPTS
                       "/given' pipelines='" SEMBLANCE_PIPELINES
                       "' plugins='" SEMBLANCE_TEST_PLUGINS "'\n" +
                       script + "\n");
  }

  void needs() {
    const std::string& need = now().rest;
    const char* data = std::getenv("SEMBLANCE_DATA");
    if (need == "data")
      skipped_ = !data || !*data;
    else if (need == "no sanitizer")
      skipped_ = sanitized;
    else
      skipped_ = shell("command -v " + need).exit != 0;
    if (skipped_) MESSAGE("skipped: " << file_ << " needs " << need);
  }
  void file() { work_.file(now().rest, now().block); }
  void clear() {
    for (const auto& item : fs::directory_iterator(work_.path)) fs::remove_all(item.path());
  }
  void command() {
    command_ = now().rest + "\n" + now().block;
    outcome_ = shell(command_);
    const bool judged = at_ + 1 < statements_.size() && statements_[at_ + 1].word == "exit";
    if (!judged && outcome_.exit != 0)
      ADD_FAIL_AT(file_.c_str(), now().line, "exit " << outcome_.exit << "\n" << report());
  }
  void exit() {
    const auto colon = std::min(now().rest.find(": "), now().rest.size());
    check_output(std::to_string(outcome_.exit) == now().rest.substr(0, colon));
    if (colon < now().rest.size()) check_output(contains(outcome_, now().rest.substr(colon + 2)));
  }
  void says() { check_output(contains(outcome_, text())); }
  void omits() { check_output(!contains(outcome_, text())); }
  void prints() { check_output(outcome_.output == now().block); }

  /// Whether the file that a statement names contains the text after the colon, or the block.
  bool found_in_file() const {
    const auto colon = std::min(now().rest.find(": "), now().rest.size());
    const bool inside = colon < now().rest.size();
    return contains(work_.content(now().rest.substr(0, colon)),
                    inside ? now().rest.substr(colon + 2) : block());
  }
  void holds() { check(found_in_file(), "is not in the file"); }
  void lacks() { check(!found_in_file(), "is in the file"); }
  void exists() {
    for (const auto& name : split(now().rest, ' '))
      check(fs::exists(work_.path / name), name + " does not exist");
  }
  void absent() {
    for (const auto& name : split(now().rest, ' '))
      check(!fs::exists(work_.path / name), name + " exists");
  }

  /// The bytes of a file, or of all files in a folder by their names.
  std::map<std::string, std::string> bytes(const std::string& name) const {
    if (!fs::is_directory(work_.path / name)) return {{"", work_.content(name)}};
    std::map<std::string, std::string> all;
    for (const auto& item : fs::recursive_directory_iterator(work_.path / name))
      if (item.is_regular_file())
        all[item.path().lexically_relative(work_.path / name)] =
            work_.content(item.path().lexically_relative(work_.path));
    CHECK(!all.empty());
    return all;
  }
  void same() {
    const auto names = split(now().rest, ' ');
    for (const auto& name : names)
      check(bytes(name) == bytes(names[0]), name + " differs from " + names[0]);
  }
  void differ() {
    const auto names = split(now().rest, ' ');
    check(bytes(names.at(0)) != bytes(names.at(1)), "they are the same");
  }
  void results() {
    const auto runs = split(now().rest, ' ');
    for (const auto& run : runs)
      check(results_of(work_, run) == results_of(work_, runs[0]), run + " differs from " + runs[0]);
  }

  /// What FILE#/PATH, or RUN:NODE.FIGURE, stands for; '*' in a path is every member.
  std::vector<json> values_of(const std::string& reference) const {
    const auto hash = reference.find('#'), colon = reference.rfind(':');
    REQUIRE_MESSAGE(std::min(hash, colon) != std::string::npos, "no reference: " << reference);
    const bool figure = hash == std::string::npos;
    std::string path = reference.substr((figure ? colon : hash) + 1);
    if (figure) path.insert(0, "nodes/").replace(path.find('.'), 1, "/");
    const std::string file = reference.substr(0, figure ? colon : hash);
    std::vector<json> found = {json::parse(work_.content(figure ? file + "/metrics.json" : file))};
    for (const std::string& key : split(path, '/')) {
      std::vector<json> next;
      for (const json& in : found)
        if (key == "*")
          next.insert(next.end(), in.begin(), in.end());
        else if (in.contains(json::json_pointer("/" + key)))
          next.push_back(in.at(json::json_pointer("/" + key)));
      found = std::move(next);
    }
    return found;
  }
  void value() {
    const auto parts = split(now().rest, ' ');
    const auto found = values_of(parts.at(0));
    const std::string& relation = parts.at(1);
    if (relation == "absent") return check(found.empty(), "it is there");
    std::string wanted =
        now().rest.substr(now().rest.find(" " + relation + " ") + relation.size() + 2);
    const auto within = std::min(wanted.find(" within "), wanted.size());
    const double tolerance = within < wanted.size() ? std::stod(wanted.substr(within + 8)) : 0;
    wanted.resize(within);
    json other = relation == "mentions" ? json(wanted) : json::parse(wanted, nullptr, false);
    if (other.is_discarded()) other = json(values_of(wanted)).at(0);
    check(!found.empty(), "there is no such value");
    for (const json& is : found)
      check(related(is, relation, other, tolerance),
            "found " + is.dump() + ", expected " + relation + " " + other.dump());
  }

  static const std::map<std::string, void (Transcript::*)()> actions;
  std::string file_;
  std::vector<Statement> statements_;
  std::size_t at_ = 0;
  bool skipped_ = false;
  Workplace work_;
  std::string command_;
  Workplace::Outcome outcome_;
};

const std::map<std::string, void (Transcript::*)()> Transcript::actions = {
    {"needs", &Transcript::needs},     {"file", &Transcript::file},
    {"clear", &Transcript::clear},     {"$", &Transcript::command},
    {"exit", &Transcript::exit},       {"says", &Transcript::says},
    {"omits", &Transcript::omits},     {"prints", &Transcript::prints},
    {"holds", &Transcript::holds},     {"lacks", &Transcript::lacks},
    {"exists", &Transcript::exists},   {"absent", &Transcript::absent},
    {"same", &Transcript::same},       {"differ", &Transcript::differ},
    {"results", &Transcript::results}, {"value", &Transcript::value}};

void run_current() { Transcript(doctest::getContextOptions()->currentTest->m_file.c_str()).run(); }

/// Test cases are named after their file and its first line, which is a comment.
bool register_all() {
  static std::deque<std::string> kept;  // doctest keeps pointers
  for (const auto& item : fs::directory_iterator(SEMBLANCE_TRANSCRIPTS)) {
    if (item.path().extension() != ".test") continue;
    std::ifstream in(item.path());
    std::string title;
    std::getline(in, title);
    const std::string& name =
        kept.emplace_back(item.path().stem().string() + ":" + title.substr(1));
    const std::string& file = kept.emplace_back(item.path().string());
    doctest::detail::regTest(
        doctest::detail::TestCase(run_current, file.c_str(), 1,
                                  doctest_detail_test_suite_ns::getCurrentTestSuite()) *
        name.c_str());
  }
  return true;
}

const bool registered = register_all();

}  // namespace

}  // namespace transcripts_test
