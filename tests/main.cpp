// SPDX-License-Identifier: Apache-2.0
// The one unit that holds doctest's implementation and main; every test executable links it.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
