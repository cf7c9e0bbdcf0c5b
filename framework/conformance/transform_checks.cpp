// SPDX-License-Identifier: MIT
// Transforms of rows, and the states that they save.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <latch>
#include <limits>
#include <thread>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/recorded.hpp"

namespace semblance::conformance {
namespace {

void same_rows(MatrixView part, const FloatMatrix& all, std::size_t first,
               const std::string& circumstance) {
  for (std::size_t i = 0; i < part.rows; ++i) {
    const auto expected = all.view().row_span(first + i), found = part.row_span(i);
    const Outcome whole{{expected.begin(), expected.end()}, ""};
    const Outcome alone{{found.begin(), found.end()}, ""};
    const std::string what = difference(whole, alone);
    require(what.empty(), "row " + std::to_string(first + i) + " " + circumstance + ": " + what);
    require(
        !part.sparse() || std::ranges::equal(all.view().columns_of(first + i), part.columns_of(i)),
        "row " + std::to_string(first + i) + " " + circumstance + ": in its columns");
  }
}

void layouts(const Subject& subject) {
  const ComponentConfig config = subject.config();
  const auto taken = samples_taken(subject, config);
  const PortInfo& port = subject.info().inputs.at(0);
  for (const LayoutKind kind : port.layouts_with(config.values, port.layouts))
    require(!parts_take(subject, config,
                        semblance::layouts().at(static_cast<std::size_t>(kind)).example) ||
                std::ranges::any_of(taken, [&](const auto& s) { return s.layout.kind == kind; }),
            std::string("it declares that it accepts samples of layout ") + name(kind) +
                ", but refuses those that were tried");
  for (const SampleSet& samples : taken) {
    testing::TestContext context;
    const ReadyTransform ready = make_ready(subject, config, samples, {});
    mapped(ready, samples.values.view().rows_range(0, 2), context);
  }
}

void every_value(const Subject& subject) {
  const Prepared p(subject);
  for (std::size_t i = 0; i < p.all.rows; ++i)
    for (std::size_t j = 0; j < p.all.view().size(i); ++j) {
      const float x = p.all.view().row(i)[j];
      require(std::isfinite(x), "value " + std::to_string(j) + " of row " + std::to_string(i) +
                                    " is " +
                                    (std::isnan(x) ? "NaN or was not written" : "infinite") +
                                    " for samples of a " + describe(p.samples.layout));
    }
}

/// Nothing is written before or after contiguous rows.
void neighbours(const Prepared& p, Context& context) {
  const std::size_t first = 3, rows = 70;
  const float mark = 12345;
  FloatMatrix out = room_for(p.ready, p.samples.values.view());
  std::ranges::fill(out.values, mark);
  const MutableMatrixView part = out.view().rows_range(first, rows);
  p.ready.transform->apply(p.samples.values.view().rows_range(first, rows), part, context);
  same_rows(part, p.all, first, "differs if there are other rows around the block");
  for (std::size_t i = 0; i < out.rows; ++i)
    if (i < first || i >= first + rows)
      for (const float x : std::as_const(out).view().row_span(i))
        require(x == mark, "it writes beyond the rows of its block");
}

/// Gaps between the rows of both matrices, as in concatenated maps.
void strides(const Subject& subject) {
  Prepared p(subject);
  if (p.samples.layout.ragged()) return neighbours(p, p.context);
  const float mark = 12345;
  const std::size_t rows = 70, gap = 3;
  FloatMatrix in(rows, p.samples.layout.size() + gap), out(rows, p.all.cols + gap);
  std::ranges::fill(in.values, std::numeric_limits<float>::quiet_NaN());
  std::ranges::fill(out.values, mark);
  for (std::size_t i = 0; i < rows; ++i)
    std::copy_n(p.samples.values.view().row(i), p.samples.layout.size(), in.view().row(i));
  MatrixView from = in.view();
  from.cols -= gap;
  p.ready.transform->apply(from, out.view().cols_range(0, p.all.cols), p.context);
  MatrixView part = out.view();
  part.cols -= gap;
  same_rows(part, p.all, 0, "differs if the matrices have gaps between their rows");
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = p.all.cols; j < out.cols; ++j)
      require(out.view().row(i)[j] == mark, "it writes beyond the end of row " + std::to_string(i));
}

void transforms_blocks_alike(const Subject& subject) {
  Prepared p(subject);
  for (const std::size_t first : {0u, 1u, 5u, 17u, 101u, 255u, 299u})
    for (const std::size_t count : {1u, 2u, 7u, 8u, 33u, 256u}) {
      if (first + count > p.all.rows) continue;
      const FloatMatrix part =
          mapped(p.ready, p.samples.values.view().rows_range(first, count), p.context);
      same_rows(part.view(), p.all, first,
                "differs in a block of " + std::to_string(count) + " rows");
    }
}

void no_rows(const Subject& subject) {
  Prepared p(subject);
  mapped(p.ready, p.samples.values.view().rows_range(0, 0), p.context);
}

/// The error that one of many concurrent callers finds, in a tenth of a second at least.
std::string call_repeatedly(const Prepared& p, std::size_t caller, std::latch& start) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t parts = 4, rows = sample_rows / parts;
  testing::TestContext context;
  const Check work{
      "", [&] {
        start.arrive_and_wait();
        const auto end = Clock::now() + std::chrono::milliseconds(100);
        for (std::size_t round = 0; round < 8 || Clock::now() < end; ++round) {
          const std::size_t first = (caller + round) % parts * rows;
          const FloatMatrix part =
              mapped(p.ready, p.samples.values.view().rows_range(first, rows), context);
          same_rows(part.view(), p.all, first, "differs when threads call concurrently");
        }
      }};
  return run(work).text;
}

void concurrently(const Subject& subject) {
  const Prepared p(subject);
  constexpr std::size_t callers = 4;
  std::vector<std::string> problems(callers);
  std::latch start(callers);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < callers; ++t)
      threads.emplace_back([&, t] { problems[t] = call_repeatedly(p, t, start); });
  }
  for (const std::string& problem : problems) require(problem.empty(), problem);
}

void unusual_samples(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.values.values, 0.0f);
  try {
    require_finite(Prepared(subject, samples).all.values,
                   "all-zero samples are mapped to values that are not finite, without an error");
  } catch (const Error&) {
    // Refusing them is also valid.
  }
  // A symbol is always one of the alphabet.
  if (samples.layout.kind == LayoutKind::string) return;
  std::ranges::fill(samples.values.values, std::numeric_limits<float>::quiet_NaN());
  try {
    Prepared(subject, samples);
  } catch (const Error&) {
  }
}

/// Some values are missing in the samples, and none in the output.
void missing_values(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  Random random(5);
  for (float& value : samples.values.values)
    if (random.below(5) == 0) value = std::numeric_limits<float>::quiet_NaN();
  require_finite(
      Prepared(subject, samples).all.values,
      "it is declared takes_missing(), but gives missing values for rows that have some");
}

}  // namespace

void add_transform_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"layouts of samples", layouts},
       {"every value is written and finite", every_value},
       {"views with gaps between rows", strides},
       {"same bits in any block of rows", transforms_blocks_alike},
       {"a block without rows", no_rows},
       {"same bits when called concurrently", concurrently},
       {"samples of zeros and of NaN", unusual_samples}});
  if (subject.info().takes_missing)
    add(checks, subject, {{"missing values are filled in", missing_values}});
}

namespace {

/// Loads and uses the state; an Error is a valid response.
void load_damaged(const Subject& subject, const SampleSet& samples, const RecordedState& state) {
  testing::TestContext context;
  ReadyTransform ready;
  try {
    ready.transform = subject.create_as<Transform>();
    ready.transform->bind(samples.layout);
    ready.transform->load(state, context);
    ready.output = ready.transform->bind(samples.layout);
    if (ready.output.size() > 0 && ready.output.size() < 10000)
      mapped(ready, samples.values.view().rows_range(0, 3), context);
  } catch (const Error&) {
  }
}

void damaged(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  RecordedState whole;
  ready.transform->save(whole);
  if (whole.names().empty()) throw NotApplicable("it saves nothing");
  for (const std::string& name : whole.names()) {
    const Check one{"", [&] {
                      RecordedState less = whole;
                      less.remove(name);
                      load_damaged(subject, samples, less);
                      RecordedState shorter = whole;
                      if (shorter.shorten(name)) load_damaged(subject, samples, shorter);
                    }};
    const Finding finding = run(one);
    require(finding.verdict == Verdict::ok,
            "with the entry '" + name + "' missing or shorter, " + finding.text);
  }
}

}  // namespace

void add_state_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"a damaged state is refused", [&subject] { damaged(subject); }});
}

}  // namespace semblance::conformance
