# One place for the language level, the warnings, the sanitizers and the compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

option(SEXTANT_TESTS "build the tests and benchmarks" ON)
set(SEXTANT_SANITIZE "" CACHE STRING "comma list for -fsanitize, e.g. address,undefined or thread")
option(SEXTANT_FUZZ "build the libFuzzer targets (Clang only)" OFF)
option(SEXTANT_COVERAGE "instrument for coverage" OFF)
option(SEXTANT_UNITY "compile several sources of a module as one unit" ON)

# Two thirds of the time of single units goes into reading headers. A unit stays small enough that a changed source is
# compiled in a few seconds.
set(CMAKE_UNITY_BUILD ${SEXTANT_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# Floating-point results must not depend on the compiler contracting a*b+c.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
                    -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports false positives inside the standard library at -O2.
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
endif()

if(SEXTANT_SANITIZE)
  add_compile_options(-fsanitize=${SEXTANT_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${SEXTANT_SANITIZE})
endif()
if(SEXTANT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # the libraries must report their coverage too
endif()
if(SEXTANT_COVERAGE)
  add_compile_options(--coverage -O0)
  add_link_options(--coverage)
endif()

# Half a second instead of several for a program with its tests.
find_program(SEXTANT_MOLD mold)
if(SEXTANT_MOLD AND NOT SEXTANT_FUZZ)
  add_link_options(-fuse-ld=mold)
endif()

# Paths are hashed relative to the tree, so that a second copy of it finds the objects of the first. The sloppiness is
# what precompiled headers ask for. What was read is taken from the compiler (depend mode): reading it once more in advance
# is a tenth of the time of a test's unit.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
