// SPDX-License-Identifier: MIT
// The manual pages, and the help of an installed program.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "pipelines.hpp"
#include "program.hpp"

namespace man_pages_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// The pages write every hyphen as a minus.
std::string in_roff(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? "\\-" : std::string(1, c);
  return out;
}

/// The options that `VERB --help` lists at the beginning of its lines.
std::vector<std::string> options_of(const Workplace& work, const std::string& verb) {
  std::vector<std::string> found;
  std::istringstream in(work(verb + " --help").output);
  for (std::string line; std::getline(in, line);) {
    const std::size_t start = line.find("--");
    if (!line.starts_with("  ") || start > 7) continue;
    found.push_back(line.substr(start, line.find_first_of(" ]", start) - start));
  }
  return found;
}

/// The verbs of the program, without those of the launcher.
std::vector<std::string> verbs(const Workplace& work) {
  std::vector<std::string> found;
  std::istringstream in(work("--help").output);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("  ") && !contains(line, "in a source tree"))
      found.push_back(line.substr(2, line.find(' ', 2) - 2));
  return found;
}

}  // namespace

TEST_CASE("every verb has a manual page that names all of its options") {
  const Workplace work;
  const auto all = verbs(work);
  REQUIRE(all.size() > 15);
  CHECK(contains(work.succeed("describe --man man"),
                 std::to_string(all.size() + 1) + " manual pages in man"));
  const std::string program = work.content("man/semblance.1");
  for (const std::string& verb : all) {
    INFO(verb);
    CHECK(contains(program, ".TP\n\\fB" + in_roff(verb) + "\\fR\n"));
    CHECK(contains(program, ".BR " + in_roff("semblance-" + verb) + " (1)"));
    const std::string page = work.content("man/semblance-" + verb + ".1");
    for (const char* section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"})
      CHECK_MESSAGE(contains(page, std::string(".SH ") + section + "\n"), section);
    const auto options = options_of(work, verb);
    CHECK(!options.empty());
    for (const std::string& option : options)
      CHECK_MESSAGE(contains(page, "\\fB" + in_roff(option) + "\\fR"), option);
    CHECK(contains(page, "SEMBLANCE_PLUGIN_PATH") == contains(page, in_roff("--plugin-path")));
  }
}

TEST_CASE("manual pages have the date of the build's sources where it is given") {
  Workplace work;
  work.environment += "SOURCE_DATE_EPOCH=86400 ";
  work.succeed("describe --man man");
  CHECK(contains(work.content("man/semblance-run.1"), ".TH SEMBLANCE\\-RUN 1 1970-01-02 "));
  work.expect("describe --man man similarity/rbf", 2, "--man is about the program; omit the ID");
  work.file("in_the_way", "");
  work.expect("describe --man in_the_way", 1, "in_the_way");
}

TEST_CASE("manual pages are correct roff") {
  const Workplace work;
  work.succeed("describe --man man");
  const auto man = work.shell(
      "command -v man >/dev/null && command -v groff >/dev/null || exit 99\n"
      "for page in man/*.1; do man --warnings -E UTF-8 -l -Tutf8 -Z $page >/dev/null; done");
  if (man.exit == 99) MESSAGE("skipped: man and groff are not installed (man-db, groff)");
  if (man.exit != 99) CHECK(man.output == "");
  const auto mandoc =
      work.shell("command -v mandoc >/dev/null || exit 99\nmandoc -T lint -W warning man/*.1");
  if (mandoc.exit == 99) MESSAGE("skipped: mandoc is not installed");
  if (mandoc.exit != 99) CHECK(mandoc.output == "");
}

TEST_CASE("an installed program knows no verb of a source tree") {
  const Workplace work;
  CHECK(contains(work("--help"), "Start with: ./semblance run pipelines/quickstart.yaml"));
  CHECK(contains(work("--help"), "run the tests"));
  CHECK(contains(work("tset"), ", python, test"));
  const fs::path build = fs::path(SEMBLANCE_PROGRAM).parent_path().parent_path();
  // Below a source tree as well.
  work.file("tree/semblance", "");
  work.file("tree/CMakePresets.json", "");
  const fs::path prefix = work.path / "tree/installed/here";
  fs::create_directories(prefix / "bin");
  fs::copy_file(SEMBLANCE_PROGRAM, prefix / "bin/semblance");
  for (const char* folder : {"lib", "share"})
    fs::create_directory_symlink(build / folder, prefix / folder);
  const auto help = work.shell("tree/installed/here/bin/semblance --help");
  INFO(help.output);
  CHECK(contains(help, "Start with: semblance run " +
                           (prefix / "share/semblance/pipelines/quickstart.yaml").string()));
  for (const char* word : {"./semblance", "source tree", "python", "  test"})
    CHECK_MESSAGE(!contains(help, word), word);
  const auto wrong = work.shell("tree/installed/here/bin/semblance tset");
  CHECK(contains(wrong, "unknown command 'tset'; choose from: run, "));
  CHECK(!contains(wrong, "python"));
}

}  // namespace man_pages_test
