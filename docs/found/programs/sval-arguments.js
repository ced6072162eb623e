console.log((function (a) { arguments[0] = 9; return a; })(1));
