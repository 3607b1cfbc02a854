# Most of the time of a build goes into headers that many sources share. So up to 48 KiB of sources
# from one folder are compiled together, which takes a third of the time. EBB_UNITY=OFF compiles
# each file on its own.

# ebb_sources(RESULT NAME FILE...) gives what to compile for the sources of a library or test.
function(ebb_sources result name)
  list(LENGTH ARGN count)
  if(NOT EBB_UNITY OR count EQUAL 1)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(files ${ARGN})
  list(SORT files)
  set(unities "")
  set(group "")
  set(size 0)
  set(last_folder "")
  foreach(file ${files} "")
    get_filename_component(folder "${file}" DIRECTORY)
    if(group AND (size GREATER 49152 OR NOT folder STREQUAL last_folder))
      list(LENGTH unities number)
      set(unity ${CMAKE_BINARY_DIR}/unity/${name}_${number}.cc)
      ebb_unity(${unity} ${group})
      list(APPEND unities ${unity})
      set(group "")
      set(size 0)
    endif()
    set(last_folder "${folder}")
    if(file)
      list(APPEND group ${file})
      file(SIZE ${file} bytes)
      math(EXPR size "${size} + ${bytes}")
    endif()
  endforeach()
  set(${result} ${unities} PARENT_SCOPE)
endfunction()

# ebb_unity(UNITY FILE...) makes one source of some. Paths are relative to a folder that is searched
# for includes, so that ccache finds what another clone has compiled.
function(ebb_unity unity)
  if("${ARGN}" MATCHES "_test\\.cc")
    add_custom_command(OUTPUT ${unity} DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/scripts/unity
      COMMAND ${PROJECT_SOURCE_DIR}/scripts/unity ${unity} ${ARGN} VERBATIM)
    return()
  endif()
  set(content "")
  foreach(file ${ARGN})
    string(REGEX REPLACE "^${PROJECT_SOURCE_DIR}/(src/|tests/)?" "" relative "${file}")
    string(APPEND content "#include \"${relative}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${unity} CONTENT "${content}" @ONLY)
endfunction()

# ebb_library(NAME DEPENDENCY...) makes the static library ebb_NAME from all of src/NAME and its
# rooms. Tests (*_test.cc) and the program's main.cc are left out; tests/ picks the tests up by the
# same rule, so that a new file needs no line anywhere.
# Headers without a source of the same name form a file set, so that
# all_verify_interface_header_sets compiles each of them on its own. The others come first in their
# sources, which clang-tidy compiles one by one.
function(ebb_library name)
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc ${folder}/*/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$|/main\\.cc$")
  file(GLOB alone CONFIGURE_DEPENDS ${folder}/*.h ${folder}/*/*.h)
  list(TRANSFORM sources REPLACE "\\.cc$" ".h" OUTPUT_VARIABLE with_source)
  list(REMOVE_ITEM alone ${with_source})
  ebb_sources(compiled ${name} ${sources})
  add_library(ebb_${name} STATIC ${compiled})
  target_sources(ebb_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                 FILES ${alone})
  target_link_libraries(ebb_${name} PUBLIC ${ARGN})
  set_target_properties(ebb_${name} PROPERTIES LINKER_LANGUAGE CXX
                        VERIFY_INTERFACE_HEADER_SETS ON)
  set_property(GLOBAL APPEND PROPERTY EBB_LIBRARIES ${name})
endfunction()
