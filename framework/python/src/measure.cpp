// SPDX-License-Identifier: MIT
#include <pybind11/numpy.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "call_context.hpp"
#include "catalogue.hpp"
#include "errors.hpp"
#include "interruptible.hpp"
#include "layouts.hpp"
#include "pipeline/specification/component_lookup.hpp"
#include "pipeline/specification/component_reader.hpp"
#include "pipeline/specification/former_names.hpp"
#include "pipeline/yaml/yaml_syntax.hpp"
#include "registry/catalogue.hpp"
#include "registry/places.hpp"
#include "rows.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/similarity.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// A similarity as a pipeline would write it as a parameter, {"is": "similarity/rbf", "gamma": 1}
/// as JSON, checked as there. Throws BadPipeline with everything that is wrong.
ComponentConfig similarity_from_text(const std::string& text, const Catalogue& catalogue) {
  const SourceText source("component", text);
  Problems problems;
  std::optional<ComponentConfig> config;
  if (auto body = parse_yaml(source, problems)) {
    use_current_names(*body, catalogue, problems);
    const YamlEntry& is = body->entries.at(0);  // the package writes it first
    if (const auto* entry = find_component(is.value, catalogue, problems, "similarity"))
      config = ComponentReader(catalogue, data_folder(""), problems)
                   .read(*entry, *body, is.key.place, {})
                   .config;
  }
  if (!config || problems.errors() > 0) throw BadPipeline(problems.take());
  for (const Diagnostic& said : problems.take()) warn(said.message + ": " + said.help);
  return *std::move(config);
}

/// A similarity for arrays.
class Measure {
 public:
  Measure(const std::string& component, const py::dict& layout, std::uint64_t seed,
          std::optional<std::size_t> threads)
      : catalogue_(catalogue()),
        config_(similarity_from_text(component, *catalogue_)),
        layout_(layout_from(layout)),
        seed_(mixed_seed(seed, config_.id)),
        threads_(threads.value_or(available_threads())) {
    auto created = catalogue_->create(config_);
    similarity_.reset(&dynamic_cast<Similarity&>(*created.release()));
    const auto& info = catalogue_->find(config_.id)->info;
    const PortInfo* samples = info.input("from");
    if (samples && std::ranges::count(samples->layouts_taken(), layout_.kind) == 0)
      throw Error(config_.id + " does not take a " + describe(layout_));
    similarity_->bind(layout_);
  }

  void set_bases(const ArrayRows& rows) {
    check_layout(rows, "the bases");
    std::vector<std::int64_t> numbers(rows.view().rows);
    std::iota(numbers.begin(), numbers.end(), 0);
    // A median distance takes the comparison of some bases with all.
    constexpr std::size_t compared = 50;
    call(seconds(std::min(compared, numbers.size()), numbers.size()), [&](CallContext& context) {
      const std::unique_lock lock(bases_);
      context.run([&] { similarity_->set_bases(rows.view(), numbers, *context); });
    });
  }

  py::array_t<float> apply(const ArrayRows& rows) const {
    check_layout(rows, "the rows");
    if (similarity_->bases() == 0)
      throw Error(config_.id + " has no bases: call set_bases() first");
    const MatrixView in = rows.view();
    py::array_t<float> result({in.rows, similarity_->bases()});
    const MutableMatrixView view{result.mutable_data(), in.rows, similarity_->bases(),
                                 similarity_->bases()};
    call(seconds(in.rows, view.cols), [&](CallContext& context) {
      const std::shared_lock lock(bases_);
      if (similarity_->bases() != view.cols)
        throw Error(config_.id + " was given other bases while it was applied");
      context.run([&] { fill(in, view, *context); });
    });
    return result;
  }

  bool symmetric() const { return catalogue_->find(config_.id)->info.symmetric; }
  bool positive_semidefinite() const { return similarity_->positive_semidefinite(); }

 private:
  void check_layout(const ArrayRows& rows, const char* what) const {
    if (rows.layout() != layout_)
      throw py::value_error(std::string(what) + " must be a " + describe(layout_) + ", got a " +
                            describe(rows.layout()));
  }

  /// A rough estimate of the time for this number of samples and bases.
  double seconds(std::size_t rows, std::size_t bases) const {
    constexpr double operations_per_second = 1e9;
    return similarity_->operations() * static_cast<double>(rows) * static_cast<double>(bases) /
           operations_per_second;
  }

  /// Runs `work`, which does not need the GIL; Ctrl-C stops it.
  template <class Work>
  void call(double seconds, const Work& work) const {
    std::vector<std::string> warnings;
    run_call(seconds, [&](const std::atomic<bool>& cancel) {
      CallContext context(config_.id, seed_, threads_, &cancel);
      work(context);
      warnings = context.warnings();
    });
    for (const std::string& line : warnings) warn(line);
  }

  /// A row's result does not depend on the rows around it, so blocks may be as small as threads
  /// need them.
  void fill(MatrixView in, MutableMatrixView out, NodeContext& context) const {
    const std::size_t wanted = (in.rows + 4 * threads_ - 1) / (4 * threads_);
    const std::size_t size = std::clamp<std::size_t>(wanted, 1, block_rows);
    const std::size_t blocks = (in.rows + size - 1) / size;
    context.parallel_for(blocks, [&](std::size_t b) {
      const std::size_t first = b * size, count = std::min(size, in.rows - first);
      similarity_->apply(in.rows_range(first, count), out.rows_range(first, count), context);
    });
  }

  std::shared_ptr<const Catalogue> catalogue_;
  ComponentConfig config_;
  Layout layout_;
  std::uint64_t seed_;
  std::size_t threads_;
  std::unique_ptr<Similarity> similarity_;
  mutable std::shared_mutex bases_;  ///< who sets them is alone; taken without the GIL
};

}  // namespace

void add_measure(py::module_& module) {
  py::class_<Measure>(module, "Measure", "A similarity for arrays.")
      .def(py::init<const std::string&, const py::dict&, std::uint64_t,
                    std::optional<std::size_t>>(),
           py::arg("component"), py::arg("layout"), py::arg("seed") = 0,
           py::arg("threads") = py::none())
      .def("set_bases", &Measure::set_bases, py::arg("rows"))
      .def("apply", &Measure::apply, py::arg("rows"))
      .def_property_readonly("symmetric", &Measure::symmetric)
      .def_property_readonly("positive_semidefinite", &Measure::positive_semidefinite);
}

}  // namespace semblance::python
