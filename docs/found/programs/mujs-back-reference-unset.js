print(/(b)?\1/.exec("a").length);
