// SPDX-License-Identifier: MIT
// A damaged model must be refused by an Error, never by a crash.
#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/recorded_state.hpp"

namespace semblance::conformance {
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
