# Writes the commit of the sources as a header, where it is another than the header says:
#   cmake -DSOURCE=FOLDER -DOUTPUT=FILE [-DCOMMIT=TEXT] -P commit.cmake
# COMMIT is for packagers whose sources are no repository. Without it git is asked: the commit's first
# letters, "-dirty" where files differ from it; "unknown" where FOLDER is not the top of a repository.
if(NOT COMMIT)
  set(COMMIT unknown)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top
                  RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(REAL_PATH ${SOURCE} source)
  if(failed EQUAL 0 AND top STREQUAL source)
    execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed EQUAL 0)
      set(COMMIT ${said})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SPECLAB_COMMIT \"${COMMIT}\"\n" @ONLY)
