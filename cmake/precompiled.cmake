# Headers that are read once, not once a source: they make a third of the time of a test's or of a sanitizer build's
# compilation. Libraries under GCC go without, where the optimiser takes the time and the loading costs more than it
# saves. Every source still includes what it uses: clang-tidy reads it without these.
set(SEXTANT_LIBRARY_HEADERS
  <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <nlohmann/json.hpp>
  <numeric> <optional> <ranges> <set> <span> <sstream> <stdexcept> <string> <string_view> <tuple> <unordered_map>
  <utility> <variant> <vector>)
set(SEXTANT_TEST_HEADERS <gmock/gmock.h> <gtest/gtest.h>)

# sextant_headers(NAME OPTIONS o... HEADERS <h>...): what targets with those options reuse.
function(sextant_headers name)
  cmake_parse_arguments(H "" "" "OPTIONS;HEADERS" ${ARGN})
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE ${H_OPTIONS} ${SEXTANT_PCH_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${H_HEADERS})
endfunction()

function(sextant_reuse_headers target headers)
  if(TARGET ${headers})
    target_precompile_headers(${target} REUSE_FROM ${headers})
    target_compile_options(${target} PRIVATE ${SEXTANT_PCH_OPTIONS})
  endif()
endfunction()

# The compiler cache needs to see through them: GCC keeps the use in what it preprocesses, Clang leaves out the date.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(SEXTANT_PCH_OPTIONS -fpch-preprocess)
else()
  set(SEXTANT_PCH_OPTIONS "SHELL:-Xclang -fno-pch-timestamp")
  sextant_headers(sextant_library_headers OPTIONS -fPIC HEADERS ${SEXTANT_LIBRARY_HEADERS})
  sextant_headers(sextant_optimised_headers OPTIONS -fPIC -O1 HEADERS ${SEXTANT_LIBRARY_HEADERS})
endif()
if(SEXTANT_TESTS)
  sextant_headers(sextant_test_headers OPTIONS -fPIE -O0 HEADERS ${SEXTANT_LIBRARY_HEADERS} ${SEXTANT_TEST_HEADERS})
  target_link_libraries(sextant_test_headers PRIVATE GTest::gmock)  # the same definitions as the tests
endif()
