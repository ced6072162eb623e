print(/(?:(a)|b)*/.exec("ab")[1]);
