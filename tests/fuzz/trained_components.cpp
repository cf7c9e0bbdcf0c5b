// SPDX-License-Identifier: MIT
#include "trained_components.hpp"

#include <algorithm>

#include "conformance/ready_transform.hpp"
#include "registry/discovery.hpp"
#include "semblance/pair_solver.hpp"

namespace semblance::fuzzing {
namespace {

namespace fs = std::filesystem;
using conformance::SampleSet;
using conformance::Subject;

bool learns(const ComponentInfo& info) {
  return info.kind() == "normalizer" || info.kind() == "similarity" || info.kind() == "solver" ||
         info.kind() == "calibrator";
}

constexpr std::size_t paired_rows = 20;

void train_pair_solver(Trained& trained) {
  testing::TestContext context(1);
  for (SampleSet& samples :
       conformance::sample_sets(trained.subject->info().inputs.at(0).layouts)) {
    const auto solver = trained.subject->create_as<PairSolver>();
    try {
      solver->bind(samples.layout);
    } catch (const Error&) {
      continue;
    }
    std::vector<std::int32_t> rows(paired_rows);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>(i);
    const PairSet pairs =
        PairSet::all_of(rows, {samples.labels.begin(), samples.labels.begin() + paired_rows}, true);
    testing::MemoryReport report;
    const testing::MemoryRows values(samples.values);
    solver->train({values, samples.layout, pairs}, report, context);
    solver->save(trained.state);
    trained.samples = std::move(samples);
    return;
  }
}

void train_transform(Trained& trained) {
  trained.samples = conformance::samples_for(*trained.subject, trained.subject->config());
  conformance::Setting setting;
  setting.threads = 1;
  conformance::make_ready(*trained.subject, trained.subject->config(), trained.samples, setting)
      .transform->save(trained.state);
}

}  // namespace

TrainedComponents::TrainedComponents(const fs::path& plugins) {
  PluginSearch search;
  search.installed = plugins;
  catalogue_ = discover_plugins(search).catalogue;
  std::vector<fs::path> files;
  for (const auto& item : fs::directory_iterator(plugins))
    if (item.path().extension() == ".so") files.push_back(item.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    libraries_.push_back(std::make_unique<PluginLibrary>(file));
    for (const auto& entry : libraries_.back()->table().entries)
      if (learns(entry.info)) {
        ids_.push_back(entry.info.id);
        entries_.push_back(&entry);
      }
  }
  require(!ids_.empty(), "there are no plugins in " + plugins.string());
  trained_.resize(ids_.size());
}

void TrainedComponents::train(std::size_t which) {
  trained_[which] = std::make_unique<Trained>();
  Trained& trained = *trained_[which];
  trained.subject = std::make_unique<Subject>(*entries_[which], catalogue_);
  try {
    if (trained.subject->info().input("pairs"))
      train_pair_solver(trained);
    else
      train_transform(trained);
  } catch (const conformance::NotApplicable&) {  // it cannot be made without more input
  } catch (const Error&) {                       // or learns from samples other than these
  }
}

const Trained& TrainedComponents::operator[](std::string_view id) {
  auto which = static_cast<std::size_t>(std::ranges::find(ids_, id) - ids_.begin());
  if (which == ids_.size()) {
    std::size_t sum = 0;
    for (const char c : id) sum = 31 * sum + static_cast<unsigned char>(c);
    which = sum % ids_.size();
  }
  if (!trained_[which]) train(which);
  return *trained_[which];
}

}  // namespace semblance::fuzzing
