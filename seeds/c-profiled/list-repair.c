int printf(const char *, ...);

struct node {
    int key;
    struct node *next, *back;
};

static struct node nodes[8];
static int repairs;

static struct node *insert(struct node *head, struct node *one)
{
    struct node *at = head, *last = 0;
    while (at && at->key < one->key) {
        if (at->back != last) {
            at->back = last;
            repairs++;
        }
        last = at;
        at = at->next;
    }
    one->next = at;
    one->back = last;
    if (at)
        at->back = one;
    if (last) {
        last->next = one;
        return head;
    }
    return one;
}

static struct node *take(struct node *head, int key)
{
    struct node *at;
    for (at = head; at; at = at->next) {
        if (at->key == key) {
            if (at->next)
                at->next->back = at->back;
            if (at->back)
                at->back->next = at->next;
            else
                head = at->next;
            at->next = 0;
            at->back = 0;
            return head;
        }
        if (at->key > key) {
            repairs += 100;
            break;
        }
    }
    return head;
}

int main(void)
{
    static const int keys[8] = {5, 2, 9, 1, 7, 3, 8, 4};
    struct node *head = 0, *at;
    int i, sum = 0;
    for (i = 0; i < 8; i++) {
        nodes[i].key = keys[i];
        head = insert(head, &nodes[i]);
    }
    head = take(head, 7);
    head = take(head, 9);
    for (at = head; at; at = at->next) {
        if (at->next && at->next->key < at->key) {
            int key = at->key;
            at->key = at->next->key;
            at->next->key = key;
            repairs++;
        }
        sum = sum * 10 + at->key;
    }
    printf("%d %d\n", sum, repairs);
    return 0;
}
//# unreached 1
//# by gcc@12.2.0:O0 clang@22.1.8:O2
//# bytes 1734
//# 317-380 331-347 360-370 913-929 1044-1102 1058-1073 1086-1092 1505-1640
//# 1550-1574 1587-1607 1620-1630
