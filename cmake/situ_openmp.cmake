# SPDX-License-Identifier: Apache-2.0
# Used by the build tree and by the installed package, so that both link OpenMP the same way.

# Links OpenMP to an interface target when the compiler has it. Without it everything works on the
# calling thread. CMake's own target covers C++ only, hence the option for CUDA units.
macro(situ_link_openmp target)
  find_package(OpenMP QUIET COMPONENTS CXX)
  if(OpenMP_CXX_FOUND)
    target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:OpenMP::OpenMP_CXX>)
    target_compile_options(
      ${target} INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-fopenmp>>)
  endif()
endmacro()
