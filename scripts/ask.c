/* ask SOCKET FILE: has measured.py run the test on the file; ends with the status
 * of the test. A shell could not do this, and Python would take longer to start
 * than most tests last. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    char folder[4096];
    unsigned char status;
    if (count != 3 || strlen(words[1]) >= sizeof place.sun_path || !getcwd(folder, sizeof folder)) return 2;
    strcpy(place.sun_path, words[1]);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (server < 0 || connect(server, (struct sockaddr *)&place, sizeof place) != 0) return 2;
    dprintf(server, "%s\n%s\n", folder, words[2]);
    return read(server, &status, 1) == 1 ? status : 2;
}
