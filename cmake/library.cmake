# ebb_library(NAME DEPENDENCY...) makes the static library ebb_NAME from all of
# src/NAME. Tests (*_test.cc) and the program's main.cc are left out; tests/ picks
# the tests up by the same rule, so that a new file needs no line anywhere.
# The headers form a file set, so that all_verify_interface_header_sets compiles
# each of them on its own.
function(ebb_library name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$|/main\\.cc$")
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.h)
  add_library(ebb_${name} STATIC ${sources})
  target_sources(ebb_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                 FILES ${headers})
  target_link_libraries(ebb_${name} PUBLIC ${ARGN})
  set_target_properties(ebb_${name} PROPERTIES LINKER_LANGUAGE CXX
                        VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()
