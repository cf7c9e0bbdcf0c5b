// SPDX-License-Identifier: MIT
#include "lent_array.hpp"

#include <algorithm>

#include "semblance/error.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// What keeps NumPy from owning, and from copying, the memory.
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

}  // namespace semblance::python
