print(/(a)|b/.exec("b")[1] === undefined);
