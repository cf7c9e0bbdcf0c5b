// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter.hpp"
#include "lent_context.hpp"
#include "semblance/component.hpp"
#include "semblance/component_info.hpp"
#include "semblance/kind.hpp"
#include "semblance/matrix.hpp"

namespace semblance::python {

/// Arrays that Python is lent for one call: views of the runtime's memory, nothing is copied. They
/// must not be kept, which finish() checks. Everything under the interpreter's lock.
class LentArrays {
 public:
  /// (rows, cols), read only; where rows differ in size, all values behind each other, and where
  /// each begins.
  pybind11::object rows(MatrixView view);
  /// (rows, cols), to be written.
  pybind11::object room(MutableMatrixView view);
  pybind11::object integers(std::span<const std::int64_t> values);
  pybind11::object integers(std::span<const std::int32_t> values);

  /// Throws Error where Python still refers to one of them.
  void finish();

 private:
  template <class T>
  pybind11::array vector(std::span<const T> values);
  pybind11::array lend(pybind11::array array);

  std::vector<pybind11::array> lent_;
};

/// The side of a component written in Python that all kinds share: its declaration, its parameters,
/// and the adapter (semblance._bridge) that calls it.
class PythonComponent {
 public:
  /// Taken from a Declaration; shared by all components made of it.
  struct Definition {
    Owned declaration;
    ComponentInfo info;
    bool learns = false;                 ///< it is a class with a method fit
    bool positive_semidefinite = false;  ///< of a similarity: said to be
    bool exact = false;                  ///< of a similarity: a pair's bits are its own
    bool uses_rows = false;              ///< of a basis: it asks for the samples
  };

  explicit PythonComponent(std::shared_ptr<const Definition> definition);
  virtual ~PythonComponent();

  using Create = std::function<std::unique_ptr<Component>()>;

  void set(std::size_t parameter, Value value) { values_[parameter] = std::move(value); }
  void set_part(std::size_t parameter, Create create) { parts_[parameter] = std::move(create); }

 protected:
  using Call = std::function<void(LentArrays&, const LentContext&)>;

  /// Makes the adapter with the parameters as they are; throws Error where Python refuses them.
  void make() const;
  /// The object of semblance._bridge that calls the component; under the lock.
  pybind11::object adapter() const;

  /// Runs `body` under the lock with arrays and a context that are lent for the call; returns
  /// whether Python has seen that a stop was requested.
  bool call(Context& context, const Call& body) const;
  void call_without_context(const std::function<void(LentArrays&)>& body) const;

  /// Tells the adapter the layout of the samples; returns that of the rows it makes.
  Layout bind_adapter(const Layout& input) const;

  /// Content of the files among the parameters is part of what is computed.
  std::vector<std::string> named_files() const;
  const ComponentInfo& info() const noexcept { return definition_->info; }
  const Definition& definition() const noexcept { return *definition_; }

  void save_state(StateWriter& state) const;
  void load_state(const StateReader& state) const;

 private:
  std::shared_ptr<const Definition> definition_;
  std::vector<Value> values_;
  std::vector<Create> parts_;  ///< where the parameter is a component that is given
  mutable Owned adapter_;
};

/// The part of an interface of the SDK that a component written in Python answers in the same way
/// for all kinds.
template <class Interface>
class PythonPart : public Interface, public PythonComponent {
 public:
  using PythonComponent::PythonComponent;
  void check_parameters() const override { make(); }
  std::vector<std::string> files() const override { return named_files(); }
};

/// In the form that the adapter expects.
pybind11::tuple to_python(const Layout& layout);

Layout layout_from_python(const pybind11::object& layout);

/// Throws Error where there is no layout of this name.
LayoutKind layout_named(const std::string& name);

/// How a component of the kind is made, and the interface that it implements.
struct PythonKind {
  const KindInfo& (*interface)();
  std::unique_ptr<Component> (*create)(std::shared_ptr<const PythonComponent::Definition>);
};

/// nullptr: no such kind can be written in Python.
const PythonKind* python_kind(std::string_view name);

}  // namespace semblance::python
