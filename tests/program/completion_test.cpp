// SPDX-License-Identifier: MIT
// Completion: the program's answers, and each shell's script.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "pipelines.hpp"
#include "program.hpp"

namespace completion_test {

using namespace semblance::testing;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The answers for a command line, as typed in a shell, without their meanings.
Lines completed(const Workplace& work, const std::string& words) {
  Lines lines = lines_of(work("complete -- " + words).output);
  for (std::string& line : lines)
    if (!line.starts_with(":")) line.resize(std::min(line.find('\t'), line.size()));
  return lines;
}

bool has(const Lines& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The names at the beginning of the lines of a help: "  run   run a pipeline".
Lines verbs(const Workplace& work) {
  Lines found;
  for (const std::string& line : lines_of(work("--help").output))
    if (line.starts_with("  ")) found.push_back(line.substr(2, line.find(' ', 2) - 2));
  return found;
}

void write_small_study(const Workplace& work) {
  work.file("p.yaml", small_pipeline);
  work.file("study.yaml",
            "study:\n  pipeline: p.yaml\n  metric: test.error_rate\n"
            "  slots: {C: {path: nodes.svm.C, values: [1, 2]}}\n");
}

}  // namespace

TEST_CASE("completion knows what may follow") {
  const Workplace work;
  write_small_study(work);
  work.file("model/pipeline.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet");
  const std::string id = work("history list").output.substr(0, 8);
  work.succeed("history tag " + id + " tidy");
  struct Case {
    std::string words;
    Lines offered;
    Lines not_offered;
  };
  const Case cases[] = {
      {"''", {"run", "check-plugin"}, {"complete"}},
      {"re", {}, {"run"}},
      {"run --", {"--set", "--threads", "--help"}, {"--stdin"}},
      {"run --thr", {"--threads"}, {"--set"}},
      {"run --threads ''", {}, {"--set", "run"}},
      {"run ''", {":files\t\t.yaml .yml"}, {}},
      {"run --out r", {":folders\t"}, {}},
      {"run --out=r", {":folders\t--out="}, {}},
      {"run --log-level ''", {"debug", "info", "warning"}, {}},
      {"run p.yaml --set ''", {"nodes.", "seed="}, {"select.", "study."}},
      {"run p.yaml --set nodes.", {"nodes.svm.", "nodes.test."}, {}},
      {"run p.yaml --set nodes.s", {"nodes.svm."}, {"nodes.test."}},
      {"run --set nodes.s", {}, {"nodes.svm."}},
      {"run p.yaml --set nodes.svm.",
       {"nodes.svm.is=", "nodes.svm.C=", "nodes.svm.from="},
       {"nodes.svm.gamma="}},
      {"run p.yaml --set nodes.svm.is=solver/lin", {"nodes.svm.is=solver/linear_svm"}, {}},
      {"run p.yaml --set nodes.svm.is=",
       {"nodes.svm.is=solver/kernel_svm"},
       {"nodes.svm.is=similarity/rbf"}},
      {"run p.yaml --set=nodes.svm.multi", {"--set=nodes.svm.multiclass="}, {}},
      {"run p.yaml --set nodes.svm.multiclass=", {"nodes.svm.multiclass=crammer_singer"}, {}},
      {"run p.yaml --set nodes.svm.from=ph", {"nodes.svm.from=phi"}, {"nodes.svm.from=x"}},
      {"run p.yaml --set nodes.svm.is=solver/kernel_svm --set nodes.svm.",
       {"nodes.svm.kernel."},
       {}},
      {"run p.yaml --set nodes.svm.is=solver/kernel_svm --set nodes.svm.kernel.is=similarity/r",
       {"nodes.svm.kernel.is=similarity/rbf"},
       {}},
      {"ablate study.yaml --set ''", {"study.", "nodes."}, {}},
      {"ablate study.yaml --set study.", {"study.metric=", "study.slots."}, {}},
      {"ablate study.yaml --set study.metric=t", {"study.metric=test.error_rate"}, {}},
      {"ablate study.yaml --set nodes.sv", {"nodes.svm."}, {}},
      {"compare model --metric ''", {"test.accuracy"}, {}},
      {"compare --metric acc", {"accuracy"}, {}},
      {"compare a b ''", {":folders\t"}, {}},
      {"predict model rows", {":files\t\t"}, {}},
      {"export model --node ''", {"svm"}, {"x"}},
      {"export model --to ''", {"c", "onnx", "libsvm", "liblinear"}, {}},
      {"describe similarity/r", {"similarity/rbf", "similarity/rigid"}, {"similarity/linear"}},
      {"describe --pages ''", {":folders\t"}, {}},
      {"list ''", {"source", "similarity"}, {"similarity/rbf"}},
      {"new-plugin pair", {"pair_solver/", "pairs/"}, {}},
      {"check-plugin ''", {":files\t\t.so .py"}, {}},
      {"check-plugin --set solver/linear_svm.", {"solver/linear_svm.C="}, {}},
      {"history ''", {"list", "show", "tag", "untag", "note", "rm", "export"}, {}},
      {"history show ''", {id}, {}},
      {"history list ''", {}, {id}},
      {"history tag ''", {id}, {"tidy"}},
      {"history tag " + id + " ''", {"tidy"}, {id}},
      {"history untag " + id + " ''", {"tidy"}, {}},
      {"history list --tag ''", {"tidy"}, {}},
      {"data ''", {"list", "show", "get"}, {}},
      {"data get mnist c", {"cifar10"}, {}},
      {"data show mnist c", {}, {"cifar10"}},
      {"study ''", {"status"}, {}},
      {"study status ''", {":folders\t"}, {}},
      {"doctor ''", {}, {"run"}},
      {"run -- --", {":files\t\t.yaml .yml"}, {"--set"}},
  };
  for (const auto& [words, offered, not_offered] : cases) {
    const Lines lines = completed(work, words);
    INFO("semblance " << words << "\n" << joined(lines));
    for (const std::string& line : offered) CHECK_MESSAGE(has(lines, line), line);
    for (const std::string& line : not_offered) CHECK_MESSAGE(!has(lines, line), line);
  }
}

TEST_CASE("components are offered with the targets that they learn from") {
  const Workplace work;
  work.file("p.yaml", "nodes:\n  svm: {is: solver/linear_svm}\n");
  for (const char* words :
       {"describe solver/linear_s", "run p.yaml --set nodes.svm.is=solver/linear_s"}) {
    const std::string output = work(std::string("complete -- ") + words).output;
    INFO(output);
    CHECK(contains(output, "solver/linear_svm\t"));
    CHECK(contains(output, "; target: classes\n"));
  }
}

TEST_CASE("completion offers every verb and every option of its help") {
  const Workplace work;
  const Lines all = verbs(work);
  CHECK(all.size() > 15);
  CHECK(completed(work, "''") == all);
  for (const std::string& verb : all) {
    if (verb == "python" || verb == "test") continue;  // of the launcher
    const Lines offered = completed(work, verb + " --");
    std::size_t options = 0;
    for (const std::string& line : lines_of(work(verb + " --help").output)) {
      if (line.find("--") > 7 || !line.starts_with("  ")) continue;
      const std::size_t start = line.find("--");
      const std::string option = line.substr(start, line.find_first_of(" ]", start) - start);
      INFO(verb << " " << option << "\n" << joined(offered));
      CHECK(has(offered, option));
      ++options;
    }
    CHECK(options == offered.size());
  }
}

TEST_CASE("the words offered for an option are those of its help") {
  const Workplace work;
  const std::pair<const char*, const char*> options[] = {
      {"run", "log-level"},      {"run", "log-format"}, {"run", "on"},
      {"predict", "format"},     {"export", "to"},      {"compare", "better"},
      {"predict", "first-index"}};
  for (const auto& [verb, option] : options) {
    const std::string help = work(std::string(verb) + " --help").output;
    const std::size_t start = help.find("\n  --" + std::string(option) + " ");
    REQUIRE(start != help.npos);
    const std::string text = help.substr(start, help.find("\n  --", start + 1) - start);
    const Lines words = completed(work, std::string(verb) + " --" + option + " ''");
    INFO(text);
    CHECK(!words.empty());
    for (const std::string& word : words) CHECK_MESSAGE(contains(text, word), word);
  }
}

TEST_CASE("completion is silent about what is not finished") {
  const Workplace work;
  work.file("syntax.yaml", "name: x\nnodes:\n  svm: {is: solver/linear_svm, from: [\n");
  work.file("unknown.yaml", "nodes:\n  svm: {is: solver/linear, from: x}\n  x: 3\n  y:\n");
  work.file("list.yaml", "- 1\n");
  work.file("empty.yaml", "");
  work.file("binary.yaml", std::string("\0\x01\xff", 3));
  work.file("study.yaml", "study: {pipeline: nowhere.yaml}\n");
  work.file("nodes.yaml", "nodes: 7\nselect: []\nstudy:\n");
  for (const std::string file : {"syntax", "unknown", "list", "empty", "binary", "study", "nodes"})
    for (const char* typed :
         {"''", "nodes", "nodes.", "nodes.svm.", "nodes.svm.is=", "nodes.x.", "nodes.x.y.z.",
          "nodes.svm.C.", "nodes..", ".", "=", "study.", "study.a.b", "select.metric=", "nodes.svm",
          "nodes.svm.from=x", "nodes.svm.C=1.5"}) {
      const auto outcome =
          work("complete -- run " + file + ".yaml --set nodes.q.z= --set " + typed);
      INFO(file << " " << typed << "\n" << outcome.output);
      CHECK(outcome.exit <= 1);
      for (const std::string& line : lines_of(outcome.output))
        CHECK(line.substr(0, line.find('\t')).find_first_of("=.") != line.npos);
    }
  for (const char* words :
       {"nonsense ''", "run --nonsense ''", "run nowhere.yaml --set nodes.", "compare --metric ''",
        "history show ''", "describe --plugin-path nowhere ''", "data get --catalogue nowhere ''",
        "export nowhere --node ''", "doctor ''", "run --quiet=", "'' ''", "--help ''",
        "complete ''"}) {
    const auto outcome = work(std::string("complete -- ") + words);
    INFO(words << "\n" << outcome.output);
    CHECK(outcome.exit <= 1);
    CHECK(!contains(outcome, "semblance:"));
  }
  CHECK(contains(work("complete -- run unknown.yaml --set nodes."), "nodes.svm."));
  CHECK(work("complete").exit == 2);
  CHECK(contains(work("complete --help"), "usage: semblance complete -- WORD..."));
}

namespace {

/// A folder with files to complete, and the program in bin/.
void write_files(const Workplace& work) {
  write_small_study(work);
  work.file("out/table.csv", "");
  work.file("other.txt", "");
  std::filesystem::create_directory(work.path / "bin");
  std::filesystem::create_symlink(SEMBLANCE_PROGRAM, work.path / "bin/semblance");
}

/// The output of a shell's script for a list of command lines; empty if there is no such shell.
std::string answers(const Workplace& work, const std::string& shell, const std::string& script) {
  const std::string file = work.file("drive", script);
  const auto outcome =
      work.shell("command -v " + shell + " >/dev/null || exit 99\nPATH=$PWD/bin:$PATH " + shell +
                 " " + file + " " SEMBLANCE_COMPLETIONS);
  if (outcome.exit == 99) MESSAGE("skipped: " << shell << " is not installed");
  if (outcome.exit == 99) return "";
  CHECK(outcome.exit == 0);
  return outcome.output;
}

}  // namespace

TEST_CASE("bash completes words that it splits at = and :") {
  const Workplace work;
  write_files(work);
  const std::string output = answers(work, "bash", R"(set -u
source "$1/semblance.bash"
complete -p semblance
try() {
  COMP_LINE=$1 COMP_POINT=${#1}
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _semblance
  echo "$COMP_LINE| ${COMPREPLY[*]}"
}
try 'semblance compar' semblance compar
try 'semblance run --out ou' semblance run --out ou
try 'semblance run --out=ou' semblance run --out = ou
try 'semblance run p' semblance run p
try 'semblance run oth' semblance run oth
try 'semblance run p.yaml --set nodes.svm.multicl' semblance run p.yaml --set nodes.svm.multicl
try 'semblance run p.yaml --set nodes.svm.multiclass=cr' semblance run p.yaml --set nodes.svm.multiclass = cr
try 'semblance run p.yaml --set=nodes.svm.is=solver/linear_svm_' semblance run p.yaml --set = nodes.svm.is = solver/linear_svm_
try "semblance run 'p.yaml' --set \"nodes.sv" semblance run "'p.yaml'" --set '"nodes.sv'
try '~/nowhere/semblance ru' '~/nowhere/semblance' ru
)");
  if (output.empty()) return;
  CHECK(output ==
        "complete -F _semblance semblance\n"
        "semblance compar| compare\n"
        "semblance run --out ou| out\n"
        "semblance run --out=ou| out\n"
        "semblance run p| p.yaml\n"
        "semblance run oth| other.txt\n"
        "semblance run p.yaml --set nodes.svm.multicl| nodes.svm.multiclass=\n"
        "semblance run p.yaml --set nodes.svm.multiclass=cr| crammer_singer\n"
        "semblance run p.yaml --set=nodes.svm.is=solver/linear_svm_| solver/linear_svm_sgd\n"
        "semblance run 'p.yaml' --set \"nodes.sv| nodes.svm.\n"
        "~/nowhere/semblance ru| \n");
}

TEST_CASE("fish completes with meanings") {
  const Workplace work;
  write_files(work);
  const std::string output = answers(work, "fish", R"(source $argv[1]/semblance.fish
for line in 'semblance compar' 'semblance run --out ou' 'semblance run --out=ou' 'semblance run p' \
        'semblance run p.yaml --set nodes.svm.multiclass=cr' 'semblance run p.yaml --set=nodes.ph'
    complete -C $line
end
)");
  if (output.empty()) return;
  CHECK(output ==
        "compare\tcompare finished runs and studies in one table, with tests\n"
        "out/\n"
        "--out=out/\n"
        "p.yaml\n"
        "nodes.svm.multiclass=crammer_singer\n"
        "--set=nodes.phi.\tnormalizer/mean_norm\n");
}

TEST_CASE("zsh gets words, meanings and kinds of files") {
  const Workplace work;
  write_files(work);
  // The functions of zsh's completion system, which only work in a line that is being typed.
  const std::string output = answers(work, "zsh -f", R"(
_describe() { print -r -- "describe $4: ${(P)4} $5" }
_files() { print -r -- "files $*" }
compset() { print -r -- "compset $*" }
try() {
  words=("$@") CURRENT=$# PREFIX=${@[-1]}
  source $folder/_semblance
  return 0
}
folder=$1
try semblance compar
try semblance run --out=ou
try semblance run p
try semblance run p.yaml --set nodes.svm.multiclass=cr
try semblance run p.yaml --set nodes.ph
)");
  if (output.empty()) return;
  CHECK(output ==
        "describe closed: compare:compare finished runs and studies in one table, with tests \n"
        "compset -P --out=\n"
        "files -/\n"
        "compset -P \n"
        "files -g *(.yaml|.yml)\n"
        "describe closed: nodes.svm.multiclass=crammer_singer \n"
        "describe open: nodes.phi.:normalizer/mean_norm -S\n");
}

}  // namespace completion_test
