print("aXbX".replace(/X/g, "[$`]"), "aaa".replace(/a/g, function (m, i) { return i; }));
