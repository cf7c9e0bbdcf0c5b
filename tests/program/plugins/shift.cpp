// SPDX-License-Identifier: MIT
// Built twice, with different numbers.
extern "C" __attribute__((visibility("default"))) float semblance_test_shift() {
  return SEMBLANCE_TEST_SHIFT;
}
