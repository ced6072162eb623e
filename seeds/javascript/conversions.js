function show(s) { if (typeof print === "function") print(s); else console.log(s); }
var n = 2.5, m = -7, t = "12", u = "3px", list = [1, "2"], flag = true;
var a = t * n + m, b = t + n, c = parseInt(u, 10) - flag, d = list + t;
show([a, b, c, d, n.toFixed(1), (m).toString(2), t == n, u > t, list.length - m, +flag].join(";"));
