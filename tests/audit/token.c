/* Token verification behind the line protocol, without a library. A word draft-bonus or
   target-correction makes it wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state; /* of splitmix64 */

static double uniform(void) {
  unsigned long long z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* The numbers of one key in a row, without brackets; then -1. */
static double *numbers(char *line, const char *key) {
  double *values = malloc((strlen(line) + 1) * sizeof *values);
  int depth = 0, count = 0;
  line = strstr(line, key) + strlen(key);
  do {
    if (*line == '[' || *line == ']') depth += *line++ == '[' ? 1 : -1;
    else if (*line == ',') ++line;
    else values[count++] = strtod(line, &line);
  } while (depth > 0);
  values[count] = -1;
  return values;
}

/* A token with the weights max(target - draft, 0). */
static int draw(const double *target, const double *draft, int vocabulary) {
  double total = 0, sum = 0, u = uniform();
  int token = 0;
  for (int v = 0; v < vocabulary; ++v) total += target[v] > draft[v] ? target[v] - draft[v] : 0;
  for (int v = 0; v < vocabulary && sum <= u * total; ++v)
    if (target[v] > draft[v]) sum += target[v] - draft[token = v];
  return token;
}

int main(int argc, char **argv) {
  const char *fault = argc > 1 ? argv[1] : "";
  char *line = NULL;
  size_t room = 0;
  if (getline(&line, &room, stdin) < 0 || puts("{\"protocol\": 1}") < 0) return 1;
  while (fflush(stdout) == 0 && getline(&line, &room, stdin) >= 0 && !strstr(line, "\"end\"")) {
    int count = atoi(strstr(line, "\"count\":") + 8);
    int size = atoi(strstr(line, "\"vocabulary\":") + 13);
    double *drafted = numbers(line, "\"draft_tokens\":"), *none = calloc((size_t)size, sizeof(double));
    double *draft = numbers(line, "\"draft_probs\":"), *target = numbers(line, "\"target_probs\":");
    int *accepted = malloc((size_t)count * sizeof *accepted);
    state = strtoull(strstr(line, "\"seed\":") + 7, NULL, 10);
    printf("{\"id\": %llu, \"tokens\": [", strtoull(strstr(line, "\"id\":") + 5, NULL, 10));
    for (int b = 0; b < count; ++b) {
      const double *d = draft, *t = target, *token = drafted;
      printf(b ? ", [" : "[");
      for (; *token >= 0 && uniform() * d[(int)*token] < t[(int)*token]; d += size, t += size)
        printf("%d, ", (int)*token++);
      accepted[b] = (int)(token - drafted);
      if (*token < 0) printf("%d]", draw(strcmp(fault, "draft-bonus") ? t : d - size, none, size));
      else printf("%d]", draw(t, strcmp(fault, "target-correction") ? d : none, size));
    }
    for (int b = 0; b < count; ++b) printf("%s%d", b ? ", " : "], \"accepted\": [", accepted[b]);
    puts("]}");
    free(drafted), free(draft), free(target), free(none), free(accepted);
  }
  free(line);
  return 0;
}
