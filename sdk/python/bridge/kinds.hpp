// SPDX-License-Identifier: MIT
#pragma once

#include "python_component.hpp"

namespace semblance::python {

// One a kind: the component that calls Python, made of a definition of that kind.
std::unique_ptr<Component> make_similarity(
    std::shared_ptr<const PythonComponent::Definition> definition);

}  // namespace semblance::python
