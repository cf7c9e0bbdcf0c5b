// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "shared_studies.hpp"

using namespace semblance::testing;
