var o = Object.freeze({a: 1});
try { o.a = 2; } catch (e) { console.log(e.name); }
console.log(o.a);
