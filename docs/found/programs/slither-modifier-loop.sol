contract C {
    bool v;
    modifier m() {
        while (v ? false : true) {
            continue;
        }
        _;
    }
}
