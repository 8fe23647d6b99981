# SPDX-License-Identifier: Apache-2.0
# ctest entries for other people's projects that use the library, with each way to get at it.
function(situ_add_consumer_test way kind compiler)
  if(NOT compiler)
    situ_add_skipped(consumer_${way}_${kind} "${kind} was not found")
    return()
  endif()
  set(nvcc none)
  if(situ_cuda AND kind STREQUAL "gcc")
    set(nvcc ${CMAKE_CUDA_COMPILER})
  endif()
  add_test(NAME consumer_${way}_${kind}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumer/check.sh ${way} ${PROJECT_SOURCE_DIR}
                   ${PROJECT_BINARY_DIR}/consumer/${way}_${kind} ${compiler} ${nvcc})
  set_tests_properties(consumer_${way}_${kind} PROPERTIES TIMEOUT 900)
endfunction()

foreach(way include subdirectory fetch package)
  situ_add_consumer_test(${way} gcc "${SITU_GXX}")
endforeach()
foreach(way include package)
  situ_add_consumer_test(${way} clang "${SITU_CLANGXX}")
endforeach()
