# cmake -DPROGRAM=speclab -DOUTPUT=FILE [-DQUICK=1] -P claim_tests.cmake: writes a ctest file with one
# test for the claims of a paper, from what the program lists: each one's verdict is the recorded one
# and, but for QUICK, its numbers are those of src/claims/engine/measured.inc.
execute_process(COMMAND ${PROGRAM} list claims --format json OUTPUT_VARIABLE list
                COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${list}" claims)
math(EXPR last "${count} - 1")
set(papers "")
foreach(i RANGE ${last})
  string(JSON id GET "${list}" claims ${i} claim)
  string(REGEX REPLACE "[.].*" "" paper "${id}")
  list(APPEND papers ${paper})
endforeach()
list(REMOVE_DUPLICATES papers)
set(text "")
foreach(paper IN LISTS papers)
  if(QUICK)
    set(command "[==[${PROGRAM}]==] verify --quick --claim ${paper}")
  else()
    set(command "bash [==[${CMAKE_CURRENT_LIST_DIR}/measured.sh]==] --check --program [==[${PROGRAM}]==] ${paper}")
  endif()
  string(APPEND text
         "add_test([==[claim: ${paper}]==] ${command})\n"
         "set_tests_properties([==[claim: ${paper}]==] PROPERTIES LABELS claims TIMEOUT 600)\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
