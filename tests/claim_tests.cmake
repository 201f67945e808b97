# cmake -DPROGRAM=speclab -DOUTPUT=FILE -P claim_tests.cmake: writes a ctest file with one test a
# claim, named by its id, from what the program lists.
execute_process(COMMAND ${PROGRAM} list claims --format json OUTPUT_VARIABLE list
                COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${list}" claims)
math(EXPR last "${count} - 1")
set(text "")
foreach(i RANGE ${last})
  string(JSON id GET "${list}" claims ${i} claim)
  string(APPEND text "add_test([==[claim: ${id}]==] [==[${PROGRAM}]==] verify --quick --claim ${id})\n"
                     "set_tests_properties([==[claim: ${id}]==] PROPERTIES LABELS claims TIMEOUT 600)\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
