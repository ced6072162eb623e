contract C { function () external internal a; }
