// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <pybind11/numpy.h>

#include <string>
#include <utility>
#include <vector>

#include "interpreter.hpp"
#include "lent_context.hpp"
#include "python_component.hpp"
#include "semblance/similarity.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
using Create = std::function<std::unique_ptr<Component>()>;
using Rows = py::array_t<float, py::array::c_style>;

MatrixView view(const Rows& rows) {
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
  void compare(const py::object& layout, const Rows& bases, const Rows& samples,
               Rows& values) const {
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

}  // namespace

py::object measure_object(Create create) {
  static bool defined = false;
  if (!defined) {
    py::class_<NativeMeasure>(part_of_package("_bridge"), "NativeMeasure", py::module_local())
        .def("compare", &NativeMeasure::compare);
    defined = true;
  }
  return py::cast(NativeMeasure(std::move(create)));
}

}  // namespace semblance::python
