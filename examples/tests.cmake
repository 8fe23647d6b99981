# SPDX-License-Identifier: Apache-2.0
# The evaluate program against scikit-learn's and Keras's values for the bundled files, and bad input.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME evaluate
         COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/evaluate.py
                 $<TARGET_FILE:example_evaluate> ${PROJECT_SOURCE_DIR}/examples/data)
set_tests_properties(evaluate PROPERTIES TIMEOUT 300)
