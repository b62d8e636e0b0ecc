/* Reads lines START<tab>COUNT<tab>RRULE from standard input, START as YYYYMMDDTHHMMSS, and prints for each a
   line with at most COUNT times as libical gives them, in UTC, or "-" where it refuses or needs more than
   0.3 s of CPU. Every rule has a process of its own: some make libical search without end. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void expand(const char *start, int count, const char *text)
{
    struct icalrecurrencetype rule;
    icalrecur_iterator *walk;
    struct icaltimetype t;
    struct itimerval none = {{0, 0}, {0, 0}};

    icalerror_set_errors_are_fatal(0);
    rule = icalrecurrencetype_from_string(text);
    if (rule.freq == ICAL_NO_RECURRENCE)
        _exit(1);
    walk = icalrecur_iterator_new(rule, icaltime_from_string(start));
    if (walk == NULL)
        _exit(1);
    for (t = icalrecur_iterator_next(walk); count > 0 && !icaltime_is_null_time(t); count--) {
        printf(" %04d-%02d-%02dT%02d:%02d:%02d", t.year, t.month, t.day, t.hour, t.minute, t.second);
        t = icalrecur_iterator_next(walk);
    }
    printf("\n");
    setitimer(ITIMER_VIRTUAL, &none, NULL); /* what is printed now is not taken back */
    fflush(stdout);
    _exit(0);
}

int main(void)
{
    static char line[16384], out[1 << 20];

    setvbuf(stdout, out, _IOFBF, sizeof out); /* a process that is ended has printed nothing */
    while (fgets(line, sizeof line, stdin) != NULL) {
        char start[32];
        int count, status;
        pid_t child;
        char *text = strrchr(line, '\t');

        if (text == NULL || sscanf(line, "%31s %d", start, &count) != 2)
            return 2;
        text++;
        text[strcspn(text, "\n")] = 0;
        child = fork();
        if (child < 0)
            return 3;
        if (child == 0) {
            struct itimerval most = {{0, 0}, {0, 300000}};

            setitimer(ITIMER_VIRTUAL, &most, NULL);
            expand(start, count, text);
        }
        if (waitpid(child, &status, 0) < 0)
            return 3;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            if (write(1, "-\n", 2) != 2)
                return 3;
        }
    }
    return 0;
}
