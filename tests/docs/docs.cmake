# SPDX-License-Identifier: Apache-2.0
# The documentation is tested: its code compiles and runs, and it lists the messages of the headers.
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/*.md)
if(SITU_GXX)
  add_test(NAME docs_code
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/code_blocks.py
                   --compiler ${SITU_GXX} --include ${PROJECT_SOURCE_DIR}/include ${pages})
  set_tests_properties(docs_code PROPERTIES TIMEOUT 600 PROCESSORS 2)
else()
  situ_add_skipped(docs_code "g++ was not found")
endif()
