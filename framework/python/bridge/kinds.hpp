// SPDX-License-Identifier: MIT
#pragma once

#include "python_component.hpp"

namespace semblance::python {

// One a kind: the component that calls Python, made of a definition of that kind.
std::unique_ptr<Component> make_basis(
    std::shared_ptr<const PythonComponent::Definition> definition);
std::unique_ptr<Component> make_evaluator(
    std::shared_ptr<const PythonComponent::Definition> definition);
std::unique_ptr<Component> make_feature(
    std::shared_ptr<const PythonComponent::Definition> definition);
std::unique_ptr<Component> make_normalizer(
    std::shared_ptr<const PythonComponent::Definition> definition);
std::unique_ptr<Component> make_similarity(
    std::shared_ptr<const PythonComponent::Definition> definition);
std::unique_ptr<Component> make_solver(
    std::shared_ptr<const PythonComponent::Definition> definition);

}  // namespace semblance::python
