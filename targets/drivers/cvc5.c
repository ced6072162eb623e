/* A command line for cvc5 releases of which only the shared libraries are
 * published: reads one SMT-LIB file, runs its commands, prints what they
 * print. Options are those of cvc5's own command line; like it, this stops at
 * the first error with status 1, unless it is only that there is no model,
 * core or proof to get. The declarations below are cvc5's C API as
 * far as it is used here, since the package comes without headers. */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Cvc5TermManager Cvc5TermManager;
typedef struct Cvc5 Cvc5;
typedef struct Cvc5SymbolManager Cvc5SymbolManager;
typedef struct Cvc5InputParser Cvc5InputParser;
typedef struct cvc5_cmd_t *Cvc5Command;
enum { LANGUAGE_SMT_LIB_2_6 = 0 };

extern Cvc5TermManager *cvc5_term_manager_new(void);
extern Cvc5 *cvc5_new(Cvc5TermManager *);
extern void cvc5_set_option(Cvc5 *, const char *option, const char *value);
extern const char **cvc5_get_option_names(Cvc5 *, size_t *size);
extern const char *cvc5_get_version(const Cvc5 *);
extern Cvc5SymbolManager *cvc5_symbol_manager_new(Cvc5TermManager *);
extern Cvc5InputParser *cvc5_parser_new(Cvc5 *, Cvc5SymbolManager *);
extern void cvc5_parser_set_file_input(Cvc5InputParser *, int language, const char *file);
extern Cvc5Command cvc5_parser_next_command(Cvc5InputParser *, const char **error);
extern const char *cvc5_cmd_invoke(Cvc5Command, Cvc5 *, Cvc5SymbolManager *);

static void on_alarm(int signal)
{
    static const char words[] = "cvc5 interrupted by timeout.\n";
    (void)signal;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(2);
    _exit(1);
}

/* The wall limit belongs to the command line, not to the library. */
static void limit_time(long ms)
{
    struct itimerval timer = {{0, 0}, {ms / 1000, ms % 1000 * 1000}};
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void print_error(const char *message)
{
    fputs("(error \"", stdout);
    for (; *message; message++)
        if (*message == '"')
            fputs("\"\"", stdout);
        else
            putchar(*message);
    puts("\")");
    fflush(stdout);
}

/* Some releases take unknown options in silence. */
static void set_known(Cvc5 *solver, const char *name, const char *value)
{
    size_t size = 0;
    const char **names = cvc5_get_option_names(solver, &size);
    for (size_t n = 0; n < size; n++)
        if (!strcmp(names[n], name)) {
            cvc5_set_option(solver, name, value);
            return;
        }
    fprintf(stderr, "cvc5: unknown option --%s\n", name);
    exit(2);
}

static void set_option(Cvc5 *solver, const char *option)
{
    static const char *const shorts[][2] = {
        {"-i", "incremental"}, {"-m", "produce-models"}, {"-q", NULL}, {NULL, NULL}};
    for (int n = 0; shorts[n][0]; n++)
        if (!strcmp(option, shorts[n][0])) {
            if (shorts[n][1])
                set_known(solver, shorts[n][1], "true");
            return;
        }
    if (strncmp(option, "--", 2)) {
        fprintf(stderr, "cvc5: unknown option %s\n", option);
        exit(2);
    }
    char *name = strdup(option + 2);
    char *value = strchr(name, '=');
    if (value)
        *value++ = 0;
    if (value && !strcmp(name, "tlimit"))
        limit_time(atol(value));
    else if (!strcmp(name, "lang") || !strcmp(name, "quiet"))
        ; /* SMT-LIB is all that this reads. */
    else if (value)
        set_known(solver, name, value);
    else if (!strncmp(name, "no-", 3))
        set_known(solver, name + 3, "false");
    else
        set_known(solver, name, "true");
    free(name);
}

static int run(Cvc5TermManager *terms, Cvc5 *solver, const char *file)
{
    if (!file || access(file, R_OK)) {
        fprintf(stderr, "cvc5: no file to read\n");
        return 2;
    }
    Cvc5SymbolManager *symbols = cvc5_symbol_manager_new(terms);
    Cvc5InputParser *parser = cvc5_parser_new(solver, symbols);
    cvc5_parser_set_file_input(parser, LANGUAGE_SMT_LIB_2_6, file);
    for (;;) {
        const char *error = NULL;
        Cvc5Command command = cvc5_parser_next_command(parser, &error);
        if (error) {
            print_error(error);
            return 1;
        }
        if (!command)
            return 0;
        const char *said = cvc5_cmd_invoke(command, solver, symbols);
        if (!said)
            continue;
        fputs(said, stdout);
        fflush(stdout);
        if (!strncmp(said, "(error", 6) && strncmp(said + 9, "annot get", 9))
            return 1;
    }
}

/* Answers requests: lines MARK FOLDER. Each is run there by a copy of this process,
 * which has seen no other; behind its output comes a line MARK STATUS MICROSECONDS. */
static int serve(Cvc5TermManager *terms, Cvc5 *solver, const char *file)
{
    static char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        char *folder = strchr(line, ' ');
        if (!folder)
            return 2;
        *folder++ = 0;
        folder[strcspn(folder, "\n")] = 0;
        pid_t copy = fork();
        if (copy < 0)
            return 2;
        if (!copy) {
            int status = chdir(folder) ? 2 : run(terms, solver, file);
            fflush(stdout);
            _exit(status);
        }
        int status = 0;
        struct rusage used = {0};
        if (wait4(copy, &status, 0, &used) != copy)
            return 2;
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        long micros = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L +
                      used.ru_utime.tv_usec + used.ru_stime.tv_usec;
        printf("%s %d %ld\n", line, code, micros);
        fflush(stdout);
        fprintf(stderr, "%s %d\n", line, code);
    }
    return 0;
}

int main(int argc, char **argv)
{
    Cvc5TermManager *terms = cvc5_term_manager_new();
    Cvc5 *solver = cvc5_new(terms);
    const char *file = NULL;
    int serves = 0;
    for (int n = 1; n < argc; n++)
        if (!strcmp(argv[n], "--version")) {
            printf("This is cvc5 version %s\n", cvc5_get_version(solver));
            return 0;
        } else if (!strcmp(argv[n], "--serve"))
            serves = 1;
        else if (argv[n][0] == '-' && argv[n][1])
            set_option(solver, argv[n]);
        else
            file = argv[n];
    return serves ? serve(terms, solver, file) : run(terms, solver, file);
}
