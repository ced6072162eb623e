struct U;
const U (&a)[] = {};
