// SPDX-License-Identifier: MIT
// What the scripts make of a study's data, in a browser.
#include <doctest/doctest.h>

#include "report/page/html_report.hpp"
#include "report/page/testing/browser.hpp"
#include "report/page/testing/html_testing.hpp"
#include "report/page/testing/study_sample.hpp"

namespace semblance::shown_study_test {
namespace {

using testing::contains;
using testing::count;
using testing::sample_study;
using testing::shown;
using testing::study_over_data;

TEST_CASE("the page of a study shows the best, the baseline and the failures") {
  if (testing::no_browser()) return;
  StudyRecord compared = sample_study(2, 2, 1, 3);
  compared.comparison = compare(compared.results);
  const std::vector<std::string> pages =
      shown({html_study_report(sample_study(3, 4, 1, 5)), html_study_report(compared)});
  const std::string& page = pages[0];
  for (const char* part :
       {"Semblance study", "Lowest error rate of test: similarity/s3 · bases = 80",
        "baseline: similarity/s1 · bases = 10", "<h2>5 of 60 variants failed</h2>",
        "node 'svm' &lt;solver/linear_svm&gt;: no memory",
        "12 combinations, 5 repeats of each. 55 of 60 variants finished.",
        "Sharing equal work left 14 of 420 nodes.",
        R"(<a href="variants/similarity%2Fs3-80-solver%2Fv1-0/report.html")", "p &lt; 0.001",
        "./semblance ablate pipelines/normalizers.yaml", "xxh128:0123",
        "Best first; the dashed line is the baseline."})
    CHECK_MESSAGE(contains(page, part), part);
  CHECK(count(page, "<a href=\"variants/") == 55);
  const std::string table = page.substr(page.find("<table class=\"results"));
  const std::string body =
      table.substr(table.find("<tbody>"), table.find("</tbody>") - table.find("<tbody>"));
  CHECK(count(body, "<tr") == 12);
  CHECK(body.find(R"(<td class="text">80</td>)") < body.find(R"(<td class="text">10</td>)"));
  CHECK(body.find(">best<") < body.find(">baseline<"));
  CHECK(body.find(">failed<") > body.find(">baseline<"));
  CHECK(count(body, ">best<") == 1);
  CHECK(contains(table, ">p t</button></th>"));
  CHECK(contains(table, ">p Wilcoxon</button></th>"));
  CHECK_FALSE(contains(table, "p McNemar"));
  CHECK_FALSE(contains(page, R"(data-chart="study-differences")"));
  CHECK(contains(pages[1],
                 "Mean paired differences to similarity/s1 · bases = 10; bars are 95 % "
                 "confidence intervals (t-test)"));
}

TEST_CASE("the page of a study over data shows each data set, and calls them no repeats") {
  if (testing::no_browser()) return;
  const std::string page = shown({html_study_report(study_over_data())})[0];
  for (const char* part :
       {"2 combinations on each of the 3 choices of 'data', 2 repeats of each. 12 of 12 variants "
        "finished.",
        "Mean ± standard deviation over the 3 choices of 'data', on each of which it is the mean "
        "over the repeats; more is better.",
        "Average ranks over the 3 choices of 'data', best on the left.",
        R"(<td class="mean" data-v="0.53125">53.12</td>)",
        R"(<td class="mean best" data-v="0.65625">65.62</td>)"})
    CHECK_MESSAGE(contains(page, part), part);
  for (const char* heading : {"C", "iris", "wine", "seeds", "accuracy [%]", "rank", "difference"})
    CHECK_MESSAGE(contains(page, ">" + std::string(heading) + "</button></th>"), heading);
  CHECK_FALSE(contains(page, ">repeats</button></th>"));
}

TEST_CASE("only what a study has is drawn") {
  if (testing::no_browser()) return;
  StudyRecord failed_baseline = sample_study(2, 2, 1, 3);
  failed_baseline.results.baseline = 1;
  const std::vector<std::string> pages =
      shown({html_study_report(sample_study(2, 3, 1, 3)),
             html_study_report(sample_study(3, 1, 1, 1)), html_study_report(failed_baseline)});
  for (const char* kind : {"heat", "slot", "ranks", "curves"})
    CHECK_MESSAGE(count(pages[0], "data-chart=\"study-" + std::string(kind) + '"') == 1, kind);
  CHECK(count(pages[1], "data-chart=\"study-dots\"") == 1);
  for (const char* kind : {"heat", "slot", "ranks"})
    CHECK_MESSAGE(count(pages[1], "data-chart=\"study-" + std::string(kind) + '"') == 0, kind);
  CHECK_FALSE(contains(pages[1], R"(<span class="spread">)"));
  CHECK_FALSE(contains(pages[2], "the dashed line is the baseline"));
}

TEST_CASE("odd studies still give a page") {
  if (testing::no_browser()) return;
  StudyRecord stopped = sample_study(2, 2, 1, 1);
  for (VariantRecord& variant : stopped.variants) {
    variant.finished = false;
    variant.error.clear();
  }
  StudyRecord failed = sample_study(1, 2, 1, 1);
  failed.results.methods.erase(failed.results.methods.begin());
  failed.comparison.standings.erase(failed.comparison.standings.begin());
  failed.results.baseline.reset();
  StudyRecord names = sample_study(2, 2, 1, 1);
  names.slots.clear();
  names.variants.clear();
  for (Method& method : names.results.methods) method.choices.clear();
  StudyRecord unreported = sample_study(2, 2, 1, 2);
  unreported.results.methods[3].measurements[1].error = "node 'test' reports no error_rate";
  const std::string nasty = R"(</script><script>alert("x & 'y'")</script>)";
  StudyRecord named = sample_study(2, 2, 1, 2);
  named.metric_node = named.results.metric = nasty;
  for (SlotRecord& slot : named.slots) slot.name = nasty;
  for (VariantRecord& variant : named.variants) variant.name += nasty;
  const std::vector<std::string> pages = shown(
      {html_study_report(StudyRecord{}), html_study_report(stopped), html_study_report(failed),
       html_study_report(names), html_study_report(unreported), html_study_report(named)});
  CHECK(contains(pages[1], "4 variants are not finished"));
  CHECK(contains(pages[2], "No combination has a value of error rate of test"));
  CHECK(contains(pages[3], "Lowest error rate of test: similarity/s2-20-solver/v1"));
  CHECK(contains(pages[4], "<h2>3 of 8 variants failed</h2>"));
  CHECK(contains(pages[4], "seed 2</span> node 'test' reports no error_rate"));
  CHECK_FALSE(contains(pages[5], "<script>"));
}

TEST_CASE("a study in steps shows what each step chose, and leads to its page") {
  if (testing::no_browser()) return;
  StudyRecord study;
  study.run.pipeline = "steps";
  StepRecord step;
  step.name = "kernel & C";
  step.choice.metric = "test.eer";
  step.choice.unit = FigureUnit::share;
  step.choice.folds = 2;
  step.choice.repeats = {"seed 1", "seed 2"};
  step.choice.within = 0.05;
  step.choice.parameters = {"C"};
  for (const char* cost : {"1", "10", "100"})
    step.choice.trials.push_back({{cost}, {1 / std::stod(cost), 1.2 / std::stod(cost)}});
  choose(step.choice);
  study.steps = {step, step};
  const std::string page = shown({html_steps_report(study)})[0];
  for (const char* part :
       {"<h2>Step 1: kernel &amp; C</h2>", "<h2>Step 2: kernel &amp; C</h2>",
        "Chosen: C=100, with test.eer 1.10% ± 0.10% (mean and standard error over 2 repeats). The "
        "lowest of 3 means wins, or the first that is at most 5 % worse. At the edge: the best C, "
        "100, is the greatest of the 3 tried",
        "<h4>EER against C</h4>", ">seed 2</button></th>",
        "<a href=\"steps/kernel%20%26%20C/report.html\">", "<h2>Reproduce this run</h2>"})
    CHECK_MESSAGE(contains(page, part), part);
}

TEST_CASE("slots of numbers are drawn over them, bare or after the same words") {
  if (testing::no_browser()) return;
  std::vector<std::string> pages;
  for (const auto& alternatives : std::vector<std::vector<std::string>>{
           {"0.1", "1"}, {"C=0.1", "C=-1"}, {"C=0.1", "gamma=1"}, {"1", "1.0"}, {"1", "rbf"}}) {
    StudyRecord study = sample_study(1, 2, 1, 1);
    for (Method& method : study.results.methods)
      method.choices[1] = alternatives[method.choices[1] == "10" ? 0 : 1];
    study.slots[1].alternatives = alternatives;
    pages.push_back(html_study_report(study));
  }
  const std::vector<std::string> all = shown(pages);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(contains(all[i], "data-chart=\"study-slot\"") == (i < 2));
}

}  // namespace
}  // namespace semblance::shown_study_test
