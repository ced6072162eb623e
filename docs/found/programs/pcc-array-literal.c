int x[(int){0}];
