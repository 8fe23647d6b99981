# SPDX-License-Identifier: Apache-2.0
# The evaluate program against scikit-learn's and Keras's values for the bundled files, bad input, and
# its reports.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
foreach(name evaluate evaluate_report)
  add_test(NAME ${name}
           COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/${name}.py
                   $<TARGET_FILE:example_evaluate> ${PROJECT_SOURCE_DIR}/examples/data)
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
endforeach()
