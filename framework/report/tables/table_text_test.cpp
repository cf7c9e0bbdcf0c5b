// SPDX-License-Identifier: MIT
#include "report/tables/table_text.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::table_text_test {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Method method(const std::string& name, std::vector<std::string> choices,
              const std::vector<double>& values) {
  Method result{name, std::move(choices), {}};
  for (const double value : values) result.measurements.push_back({value, "", {}, ""});
  return result;
}

/// Three normalizers over two seeds; the last fails once.
ResultTable small_table() {
  ResultTable table{"error_rate", false, {"x"}, {"seed 1", "seed 2"}, {}, 0};
  table.unit = FigureUnit::share;
  table.methods.push_back(method("mean_norm", {"mean_norm"}, {0.125, 0.25}));
  table.methods.push_back(method("none", {"none"}, {0.0625, 0.125}));
  table.methods.push_back(method("z, \"s\"", {"z_s|100%"}, {0.5, none}));
  table.methods[2].measurements[1].error = "no spread\nin column 3";
  return table;
}

std::string plain(const ResultTable& table, std::size_t width = 100) {
  return table_plain(table, compare(table), width);
}

TEST_CASE("CSV has every number with all its digits, quoted where it must be") {
  const ResultTable table = small_table();
  // Differences of 1/16 and 1/8: t = 3 with one degree of freedom.
  const double t_p = *compare(table).standings[1].t.p;
  CHECK(t_p == doctest::Approx(1 - 2 / std::numbers::pi * std::atan(3.0)).epsilon(1e-14));
  const std::string p = fmt::format("{}", t_p);
  // The quantile of one degree of freedom is that of Cauchy's distribution.
  const double reach = *compare(table).standings[1].difference_reach;
  CHECK(reach == doctest::Approx(0.03125 * std::tan(std::numbers::pi * 0.475)).epsilon(1e-9));
  CHECK(table_csv(table, compare(table)) ==
        "method,x,error_rate seed 1,error_rate seed 2,mean,deviation,standard_error,"
        "difference,difference_low,difference_high,t_p,t_p_holm,wilcoxon_p,wilcoxon_p_holm,mcnemar_"
        "p,mcnemar_p_holm,remark,"
        "average_rank,baseline,best,error\n"
        "mean_norm,mean_norm,0.125,0.25,0.1875,0.08838834764831845,0.0625,,,,,,,,,,,2,1,0,\n"
        "none,none,0.0625,0.125,0.09375,0.04419417382415922,0.03125,-0.09375," +
            fmt::format("{},{},", -0.09375 - reach, -0.09375 + reach) + p + "," + p +
            ",,,,,Wilcoxon: too few blocks,1,0,1,\n"
            "\"z, \"\"s\"\"\",z_s|100%,0.5,,0.5,,,0.375,,,,,,,,,,3,0,0,\"seed 2: no spread\n"
            "in column 3\"\n");
}

TEST_CASE("figures beside the metric and the parameters that variants chose are columns") {
  ResultTable table = small_table();
  table.node = "test";
  table.further = {{"svm", "train_seconds", FigureUnit::seconds, Better::lower},
                   {"test", "rows", FigureUnit::count, Better::none},
                   {"valid", "error_rate", FigureUnit::share, Better::lower}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t b = 0; b < 2; ++b) {
      Measurement& one = table.methods[i].measurements[b];
      one.further = {1.0 + static_cast<double>(i) + static_cast<double>(b), 40, 0.5};
      one.chosen["C"] = {i == 0 && b == 1 ? "10" : "1"};
    }
  table.methods[2].measurements[1].further.clear();
  const std::string text = plain(table, 200);
  CHECK(
      text.starts_with("x          error rate [%]    blocks  difference    95 % interval    p t  "
                       "    p Wilcoxon  train time [s]            rows  valid: error rate [%]    "
                       "chosen C\n"));
  CHECK(text.find("  1.500 ± 0.707 *  40.00 ± 0.00           50.00 ± 0.00 *  1 ×1, 10 ×1\n") !=
        std::string::npos);
  CHECK(text.find("2.500 ± 0.707    40.00 ± 0.00           50.00 ± 0.00 *  1\n") !=
        std::string::npos);
  const std::string csv = table_csv(table, compare(table));
  CHECK(csv.find("average_rank,svm.train_seconds,svm.train_seconds_deviation,test.rows,") !=
        std::string::npos);
  CHECK(csv.find(",chosen_C,") != std::string::npos);
}

TEST_CASE("names are whole without a limit of width, and different where they are shortened") {
  const std::string start = "gaussian similarities of histograms, ", end = ", and a linear machine";
  for (const char* place : {"at the start", "in the middle", "at the end"}) {
    CAPTURE(place);
    const bool first = std::string(place) == "at the start",
               last = std::string(place) == "at the end";
    const auto name = [&](const std::string& own) {
      return first ? own + " " + start + end : last ? start + end + own : start + own + end;
    };
    ResultTable table{"error_rate", false, {"variant"}, {"a", "b"}, {}, {}};
    for (const char* own : {"10 bases", "20 bases", "30 bases"})
      table.methods.push_back(method(name(own), {name(own)}, {0.25, 0.5}));
    const std::string whole = table_plain(table, compare(table));
    const std::string narrow = plain(table, 50);
    CHECK(narrow.find(start + end) == std::string::npos);
    for (const char* own : {"10 bases", "20 bases", "30 bases"}) {
      CHECK(whole.find(name(own)) != std::string::npos);
      CHECK(narrow.find(std::string(own).substr(0, 2)) != std::string::npos);
    }
  }
}

TEST_CASE("what was not measured is reported in short, and empty columns are left out") {
  ResultTable table{"error_rate", false, {"x"}, {}, {}, {}};
  table.over = "data";
  for (int b = 1; b <= 65; ++b) table.blocks.push_back("set_" + std::to_string(b));
  table.methods = {method("a", {"a"}, std::vector<double>(65, none)),
                   method("b", {"b"}, std::vector<double>(65, none))};
  table.methods[0].measurements[0].value = table.methods[1].measurements[0].value = 0.25;
  const std::string text = plain(table);
  CHECK(text.find("set_1 ") != std::string::npos);
  CHECK(text.find("Not measured: by any method: set_2, set_3, set_4, and 61 more\n") !=
        std::string::npos);
  CHECK(text.find("set_5") == std::string::npos);
  CHECK(text.size() < 700);
  for (Measurement& one : table.methods[1].measurements)
    if (std::isnan(one.value)) one.error = "no such file";
  const std::string failed = plain(table);
  CHECK(failed.find("Failed: b: set_2, set_3, set_4, and 61 more: no such file\n") !=
        std::string::npos);
  CHECK(failed.find("Not measured: a: set_2, set_3, set_4, and 61 more\n") != std::string::npos);
}

TEST_CASE("Markdown has the best in bold and nothing that breaks a cell") {
  const ResultTable table = small_table();
  CHECK(
      table_markdown(table, compare(table)) ==
      "| x | error rate \\[%\\] | blocks | difference | 95 % interval | p t | p Wilcoxon |\n"
      "| :--- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
      "| mean\\_norm | 18.75 ± 8.84 | 2 of 2 | baseline |  |  |  |\n"
      "| none | **9.38 ± 4.42** | 2 of 2 | -9.38 | -49.08 to 30.33 | 0.205 | too few blocks |\n"
      "| z\\_s\\|100% | 50.00 | 1 of 2 | +37.50 |  |  |  |\n"
      "\n"
      "Mean ± standard deviation over 2 blocks; less is better.\n"
      "\n"
      "p: paired test against mean\\_norm, two-sided.\n"
      "\n"
      "It was not recorded what the blocks have in common: p assumes that they are independent.\n"
      "\n"
      "Too few blocks: with fewer than 6, Wilcoxon's test cannot reach 5 %, whatever the results.\n"
      "\n"
      "Failed: z, \"s\": seed 2: no spread in column 3\n");
}

TEST_CASE("what a study leaves out is not called failed") {
  ResultTable table = small_table();
  table.methods[2].measurements[1].error.clear();
  const std::string text = table_markdown(table, compare(table));
  CHECK(text.ends_with("\nNot measured: z, \"s\": seed 2\n"));
  CHECK(text.find("Failed") == std::string::npos);
}

TEST_CASE("LaTeX is a booktabs fragment with everything escaped") {
  const ResultTable table = small_table();
  CHECK(
      table_latex(table, compare(table)) ==
      "% Needs \\usepackage{booktabs}.\n"
      "% Mean ± standard deviation over 2 blocks; less is better.\n"
      "% p: paired test against mean_norm, two-sided.\n"
      "% It was not recorded what the blocks have in common: p assumes that they are independent.\n"
      "% Too few blocks: with fewer than 6, Wilcoxon's test cannot reach 5 %, whatever the "
      "results.\n"
      "% Failed: z, \"s\": seed 2: no spread in column 3\n"
      "\\begin{tabular}{lrrrrrr}\n"
      "\\toprule\n"
      "x & error rate [\\%] & blocks & difference & 95 \\% interval & p t & p Wilcoxon \\\\\n"
      "\\midrule\n"
      "mean\\_norm & 18.75 $\\pm$ 8.84 & 2 of 2 & baseline &  &  &  \\\\\n"
      "none & \\textbf{9.38 $\\pm$ 4.42} & 2 of 2 & $-$9.38 & $-$49.08 to 30.33 & 0.205 & too few "
      "blocks \\\\\n"
      "z\\_s\\textbar{}100\\% & 50.00 & 1 of 2 & +37.50 &  &  &  \\\\\n"
      "\\bottomrule\n"
      "\\end{tabular}\n");
  SUBCASE("also the signs that TeX gives a meaning to") {
    ResultTable odd{"loss", false, {}, {""}, {}, {}};
    odd.methods.push_back(method("[a]{b}\\c$&#~^<>---\"d", {}, {1.5}));
    const std::string text = table_latex(odd, compare(odd));
    INFO(text);
    CHECK(text.find("\n{}[a]\\{b\\}\\textbackslash{}c\\$\\&\\#\\textasciitilde{}"
                    "\\textasciicircum{}$<$$>$-{}-{}-''d & \\textbf{1.500} \\\\\n") !=
          std::string::npos);
  }
}

TEST_CASE("the terminal's table is aligned, with shares in percent") {
  CHECK(
      plain(small_table()) ==
      "x          error rate [%]    blocks  difference    95 % interval    p t      p Wilcoxon\n"
      "---------  ----------------  ------  ----------  ---------------  -----  --------------\n"
      "mean_norm    18.75 ± 8.84    2 of 2    baseline\n"
      "none          9.38 ± 4.42 *  2 of 2       -9.38  -49.08 to 30.33  0.205  too few blocks\n"
      "z_s|100%            50.00    1 of 2      +37.50\n"
      "* best\n"
      "Mean ± standard deviation over 2 blocks; less is better.\n"
      "p: paired test against mean_norm, two-sided.\n"
      "It was not recorded what the blocks have in common: p assumes that they are independent.\n"
      "Too few blocks: with fewer than 6, Wilcoxon's test cannot reach 5 %, whatever the results.\n"
      "Failed: z, \"s\": seed 2: no spread in column 3\n");
}

TEST_CASE("one block has no spread, no ranks and no test but McNemar's") {
  ResultTable table{"accuracy", true, {}, {""}, {}, 0};
  table.unit = FigureUnit::share;
  table.methods.push_back(method("a", {}, {0.5}));
  table.methods.push_back(method("b", {}, {0.5}));
  table.methods.push_back(method("c", {}, {none}));
  table.methods[2].measurements[0].error = "out of memory";
  for (std::size_t i = 0; i < 2; ++i) {
    table.methods[i].measurements[0].correct = {i == 0, i == 1, 1, 0};
    table.methods[i].measurements[0].test_rows = "four rows";
  }
  CHECK(plain(table) ==
        "method  accuracy [%]    blocks  difference  p McNemar\n"
        "------  --------------  ------  ----------  ---------\n"
        "a              50.00 *  1 of 1    baseline\n"
        "b              50.00 *  1 of 1        0.00      1.000\n"
        "c             failed    0 of 1\n"
        "* best\n"
        "p: paired test against a, two-sided.\n"
        "Failed: c: out of memory\n");
  table.methods[0].measurements[0].groups = {5, 5, 3, 3};
  CHECK(plain(table).find("The test rows belong to 2 groups: tests over rows take whole groups") !=
        std::string::npos);
}

TEST_CASE("where methods are measured over data sets, all that are best on one are marked") {
  ResultTable table{"error_rate", false, {}, {"iris", "wine"}, {}, {}};
  table.over = "data";
  table.unit = FigureUnit::share;
  table.methods.push_back(method("a", {}, {0.3 - 0.2, 0.25}));
  table.methods.push_back(method("b", {}, {0.2 - 0.1, 0.5}));
  CHECK(table_markdown(table, compare(table)).find("| a | **10.00** | **25.00** |") !=
        std::string::npos);
  CHECK(table_markdown(table, compare(table)).find("| b | **10.00** | 50.00 |") !=
        std::string::npos);
}

TEST_CASE("more than a few blocks say whether anything differs") {
  ResultTable table{"loss", false, {}, {"a", "b", "c"}, {}, {}};
  table.methods.push_back(method("one", {}, {1.5, 2.5, 3.5}));
  table.methods.push_back(method("two", {}, {20000.5, 30000, 40000}));
  const std::string text = plain(table);
  INFO(text);
  CHECK(text.find("two     30000.2 ± 9999.8    2.00\n") != std::string::npos);
  CHECK(text.find("Test of whether any method differs, by ranks on 3 blocks (Friedman, "
                  "Iman-Davenport): p = 0.250.\n"
                  "Ranks differ at 5 % if they are 1.13 apart (Nemenyi).\n") != std::string::npos);
}

TEST_CASE("long names are shortened so that the table fits, but not beyond recognition") {
  ResultTable table{"error_rate", false, {"one", "two"}, {""}, {}, 0};
  table.unit = FigureUnit::share;
  table.methods.push_back(method("m", {std::string(60, 'a') + "é", std::string(80, 'b')}, {0.5}));
  table.methods.push_back(method("n", {"short", "ß"}, {0.25}));
  const auto widest = [](const std::string& text) {
    std::size_t most = 0, now = 0;
    for (const char c : text) {
      if (c == '\n') now = 0;
      now += c != '\n' && (c & 0xC0) != 0x80 ? 1 : 0;
      most = std::max(most, now);
    }
    return most;
  };
  CHECK(widest(plain(table, 100)) == 100);
  CHECK(plain(table, 100).find("aé") != std::string::npos);
  CHECK(widest(plain(table, 20)) < 60);
  CHECK(plain(table, 20).find("aaaaa…aaaaaé") != std::string::npos);
}

TEST_CASE("the three files are written, the same bytes each time") {
  const testing::TestFolder folder;
  const ResultTable table = small_table();
  for (const char* name : {"a", "b"})
    CHECK(write_tables(table, compare(table), folder.path / "deep" / name).size() == 3);
  for (const char* file : {"table.csv", "table.md", "table.tex"}) {
    const std::string content = testing::content(folder.path / "deep" / "a" / file);
    CHECK(content.size() > 100);
    CHECK(content == testing::content(folder.path / "deep" / "b" / file));
  }
  CHECK_THROWS_WITH_AS(write_tables(table, compare(table), "/dev/null/x"),
                       "cannot create the folder '/dev/null/x': Not a directory", Error);
}

TEST_CASE("a table without methods is no crash") {
  const ResultTable empty{"error_rate", false, {}, {""}, {}, {}, "", 1, FigureUnit::share};
  CHECK(plain(empty) == "method  error rate [%]\n------  --------------\n");
}

}  // namespace
}  // namespace semblance::table_text_test
