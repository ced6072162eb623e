/* A command line for boolector's releases of which only the shared library is
 * published: reads one SMT-LIB file and prints the answers to its questions. Options are
 * --NAME, --no-NAME and --NAME=NUMBER, by boolector's names. The declarations below are
 * boolector's C API as far as it is used here, since the package comes without headers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Btor Btor;

extern Btor *boolector_new(void);
extern const char *boolector_version(Btor *);
extern void boolector_set_abort(void (*)(const char *));
extern void boolector_set_opt(Btor *, int option, uint32_t value);
extern bool boolector_has_opt(Btor *, int option);
extern int boolector_first_opt(Btor *);
extern int boolector_next_opt(Btor *, int option);
extern const char *boolector_get_opt_lng(Btor *, int option);
extern int32_t boolector_parse(Btor *, FILE *, const char *name, FILE *out, char **error,
                               int32_t *status, bool *smt2);

static void print_error(const char *message)
{
    fputs("(error \"", stdout);
    for (; *message; message++)
        if (*message == '"')
            fputs("\"\"", stdout);
        else if (*message != '\n')
            putchar(*message);
    puts("\")");
    fflush(stdout);
}

/* The library calls this where its own checks of what it is asked fail. */
static void on_abort(const char *message)
{
    print_error(message);
    _exit(1);
}

/* The option of that name, or -1. */
static int option_of(Btor *btor, const char *name, size_t length)
{
    int option = boolector_first_opt(btor);
    for (; boolector_has_opt(btor, option); option = boolector_next_opt(btor, option)) {
        const char *known = boolector_get_opt_lng(btor, option);
        if (strlen(known) == length && !strncmp(known, name, length))
            return option;
    }
    return -1;
}

static bool set_option(Btor *btor, const char *word)
{
    const char *name = word + 2;
    const char *equals = strchr(name, '=');
    uint32_t value = equals ? (uint32_t)strtoul(equals + 1, NULL, 10) : 1;
    int option = option_of(btor, name, equals ? (size_t)(equals - name) : strlen(name));
    if (option < 0 && !equals && !strncmp(name, "no-", 3)) {
        option = option_of(btor, name + 3, strlen(name + 3));
        value = 0;
    }
    if (option >= 0)
        boolector_set_opt(btor, option, value);
    return option >= 0;
}

int main(int argc, char **argv)
{
    Btor *btor = boolector_new();
    const char *path = NULL;
    char *error = NULL;
    int32_t status = 0;
    bool smt2 = false;
    boolector_set_abort(on_abort);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--version")) {
            puts(boolector_version(btor));
            return 0;
        }
        if (strncmp(argv[i], "--", 2)) {
            path = argv[i];
        } else if (!set_option(btor, argv[i])) {
            fprintf(stderr, "boolector: unknown option %s\n", argv[i]);
            return 2;
        }
    }
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) {
        fprintf(stderr, "boolector: cannot read the file\n");
        return 2;
    }
    boolector_parse(btor, file, path, stdout, &error, &status, &smt2);
    if (error)
        print_error(error);
    fflush(stdout);
    /* The tear-down of the library is not under test. */
    _exit(error ? 1 : 0);
}
