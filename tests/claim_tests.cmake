# cmake -DPROGRAM=speclab -DOUTPUT=FILE [-DQUICK=1] -P claim_tests.cmake: writes a ctest file with one
# test a claim, named by its id, from what the program lists: its verdict is the recorded one and, but
# for QUICK, its numbers are those of src/claims/engine/measured.inc.
execute_process(COMMAND ${PROGRAM} list claims --format json OUTPUT_VARIABLE list
                COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${list}" claims)
math(EXPR last "${count} - 1")
set(text "")
foreach(i RANGE ${last})
  string(JSON id GET "${list}" claims ${i} claim)
  if(QUICK)
    set(command "[==[${PROGRAM}]==] verify --quick --claim ${id}")
  else()
    set(command "bash [==[${CMAKE_CURRENT_LIST_DIR}/measured.sh]==] --check --program [==[${PROGRAM}]==] ${id}")
  endif()
  string(APPEND text
         "add_test([==[claim: ${id}]==] ${command})\n"
         "set_tests_properties([==[claim: ${id}]==] PROPERTIES LABELS claims TIMEOUT 600)\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
