int printf(const char *, ...);

struct node { int value; struct node *next; };

struct node third = { 3, 0 }, second = { 2, &third }, first = { 1, &second };

int main(void)
{
    struct node *p = &first, *q = 0, *r;
    int n = 0;
    while (p) {
        r = p->next;
        p->next = q;
        q = p;
        p = r;
        n++;
    }
    for (p = q; p; p = p->next)
        n = n * 10 + p->value;
    printf("%d\n", n);
    return 0;
}
