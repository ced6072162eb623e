unsigned long long f(char x) { return (unsigned long long)x * 3; }
