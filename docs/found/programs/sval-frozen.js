var o = Object.freeze({a: 1});
o.a = 2;
console.log(o.a);
