// SPDX-License-Identifier: MIT
#include "python_component.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter.hpp"
#include "lent_context.hpp"
#include "semblance/component.hpp"
#include "semblance/error.hpp"
#include "semblance/similarity.hpp"

namespace semblance::python {

namespace {

namespace py = pybind11;

using Create = std::function<std::unique_ptr<Component>()>;
using FloatArray = py::array_t<float, py::array::c_style>;
using Integers = py::array_t<std::int64_t, py::array::c_style>;

MatrixView view(const FloatArray& rows) {
  const auto count = static_cast<std::size_t>(rows.shape(0));
  const auto size = static_cast<std::size_t>(rows.shape(1));
  return {rows.data(), count, size, size};
}

[[noreturn]] void raise(const char* type, const std::string& sentence) {
  const py::object raised = part_of_package("_declare").attr(type);
  PyErr_SetObject(raised.ptr(), raised(sentence).ptr());
  throw py::error_already_set();
}

class NativeMeasure {
 public:
  explicit NativeMeasure(Create create) : create_(std::move(create)) {}

  /// Rows of `layout`, one behind the other; writes (samples, bases).
  void compare(const py::object& layout, const FloatArray& bases, const FloatArray& samples,
               FloatArray& values) const {
    Context& context = LentContext::current();
    const Layout given = layout_from_python(layout);
    const auto columns = static_cast<std::size_t>(bases.shape(0));
    const MutableMatrixView out = {values.mutable_data(),
                                   static_cast<std::size_t>(samples.shape(0)), columns, columns};
    std::string problem;
    try {
      const py::gil_scoped_release unlocked;
      const std::unique_ptr<Component> part = create_();
      auto& measure = dynamic_cast<Similarity&>(*part);
      measure.bind(given);
      // Rows of no data set: a measure that needs their numbers refuses these.
      measure.set_bases(view(bases), std::vector<std::int64_t>(columns, -1), context);
      measure.apply(view(samples), out, context);
      return;
    } catch (const Cancelled&) {
      raise("Stopped", "");
    } catch (const std::exception& failure) {
      problem = failure.what();
    }
    raise("Refused", problem);
  }

 private:
  Create create_;
};

/// For Python, a similarity measure that is a parameter of a component: compares the arrays of one
/// call, with a measure made anew. Only during calls that have a context (LentContext).
py::object measure_object(Create create) {
  static bool defined = false;
  if (!defined) {
    py::class_<NativeMeasure>(part_of_package("_bridge"), "NativeMeasure", py::module_local())
        .def("compare", &NativeMeasure::compare);
    defined = true;
  }
  return py::cast(NativeMeasure(std::move(create)));
}

/// Keeps NumPy from owning, and from copying, the memory.
py::capsule nobody() {
  static const char memory = 0;
  return py::capsule(&memory);
}

void lock(py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

template <class T>
py::array wrapped(std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, const T* data) {
  static const T nothing[1] = {};
  return py::array(py::dtype::of<T>(), std::move(shape), std::move(strides), data ? data : nothing,
                   nobody());
}

/// pybind11 makes None of nothing, a list of a vector and a dict of a mapping.
py::object to_python(const Value& value) { return py::cast(value); }

}  // namespace

py::array LentArrays::lend(py::array array) {
  lent_.push_back(array);
  return array;
}

template <class T>
py::array LentArrays::vector(std::span<const T> values) {
  py::array array = wrapped({py::ssize_t(values.size())}, {py::ssize_t(sizeof(T))}, values.data());
  lock(array);
  return lend(std::move(array));
}

py::object LentArrays::integers(std::span<const std::int64_t> values) { return vector(values); }

py::object LentArrays::integers(std::span<const std::int32_t> values) { return vector(values); }

py::object LentArrays::rows(MatrixView view) {
  if (!view.ragged()) {
    py::array array = wrapped({py::ssize_t(view.rows), py::ssize_t(view.cols)},
                              {py::ssize_t(view.stride * sizeof(float)), sizeof(float)}, view.data);
    lock(array);
    return lend(std::move(array));
  }
  const std::size_t first = view.offsets[0];
  py::array_t<std::int64_t> begins(py::ssize_t(view.rows + 1));
  for (std::size_t i = 0; i <= view.rows; ++i)
    begins.mutable_at(py::ssize_t(i)) = static_cast<std::int64_t>(view.offsets[i] - first);
  return py::make_tuple(vector(std::span(view.data + first, view.values())), begins);
}

py::object LentArrays::room(MutableMatrixView view) {
  return lend(wrapped({py::ssize_t(view.rows), py::ssize_t(view.cols)},
                      {py::ssize_t(view.stride * sizeof(float)), sizeof(float)}, view.data));
}

void LentArrays::finish() {
  const auto kept = [&] {
    return std::ranges::any_of(lent_, [](const py::array& a) { return a.ref_count() > 1; });
  };
  if (kept()) py::module_::import("gc").attr("collect")();
  if (kept())
    throw Error(
        "it keeps an array that it was only lent for one call, and whose memory is used for other "
        "rows afterwards; keep a copy: numpy.array(samples)");
}

PythonComponent::PythonComponent(std::shared_ptr<const Definition> definition)
    : definition_(std::move(definition)) {
  for (const ParameterInfo& p : info().parameters) values_.push_back(p.fallback);
  parts_.resize(values_.size());
}

PythonComponent::~PythonComponent() = default;

void PythonComponent::make() const {
  in_python([&] {
    py::dict values;
    for (std::size_t i = 0; i < values_.size(); ++i)
      values[py::str(info().parameters[i].name)] =
          parts_[i] ? measure_object(parts_[i]) : to_python(values_[i]);
    adapter_ =
        Owned(part_of_package("_bridge").attr("adapter")(definition_->declaration.get(), values));
  });
}

py::object PythonComponent::adapter() const {
  if (!adapter_) throw Error("its parameters were not checked before it was used");
  return py::reinterpret_borrow<py::object>(adapter_.get());
}

bool PythonComponent::call(Context& context, const Call& body) const {
  bool stop_seen = false;
  in_python([&] {
    const LentContext lent_context(context);
    LentArrays lent;
    body(lent, lent_context);
    lent.finish();
    stop_seen = lent_context.stop_seen();
  });
  return stop_seen;
}

void PythonComponent::call_without_context(const std::function<void(LentArrays&)>& body) const {
  in_python([&] {
    LentArrays lent;
    body(lent);
    lent.finish();
  });
}

Layout PythonComponent::bind_adapter(const Layout& input) const {
  Layout output;
  in_python([&] { output = layout_from_python(adapter().attr("bind")(to_python(input))); });
  return output;
}

std::vector<std::string> PythonComponent::named_files() const {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (const auto* file = std::get_if<std::string>(&values_[i]);
        file && !file->empty() && info().parameters[i].type == ParameterType::path)
      files.push_back(*file);
  in_python([&] {
    for (auto& file : adapter().attr("files")().cast<std::vector<std::string>>())
      files.push_back(std::move(file));
  });
  return files;
}

// The learned state, as semblance._bridge.saved_state lays it out: a text, and the bytes of the
// arrays that it numbers.

void PythonComponent::save_state(StateWriter& state) const {
  in_python([&] {
    const auto [text, arrays] = adapter().attr("saved")().cast<std::pair<std::string, Integers>>();
    state.text("state", text);
    state.integers("arrays", {arrays.data(), static_cast<std::size_t>(arrays.size())});
  });
}

void PythonComponent::load_state(const StateReader& state) const {
  const std::string text = state.text("state");
  const std::vector<std::int64_t> arrays = state.integers("arrays");
  in_python([&] {
    adapter().attr("load")(text, Integers(static_cast<py::ssize_t>(arrays.size()), arrays.data()));
  });
}

py::tuple to_python(const Layout& layout) {
  py::tuple alphabet;
  if (layout.kind == LayoutKind::string) alphabet = py::tuple(py::cast(symbols_of(layout)));
  return py::make_tuple(name(layout.kind), layout.height, layout.width, layout.depth, alphabet);
}

LayoutKind layout_named(const std::string& name) {
  for (const LayoutInfo& info : layouts())
    if (name == info.name) return info.kind;
  throw Error("there is no layout '" + name + "'");
}

Layout layout_from_python(const py::object& layout) {
  return {layout_named(layout.attr("kind").cast<std::string>()),
          layout.attr("height").cast<std::size_t>(), layout.attr("width").cast<std::size_t>(),
          layout.attr("depth").cast<std::size_t>()};
}

}  // namespace semblance::python
