print(/(a*)*/.test(""), /(?:a*)+?b/.test("b"));
